// Gets a lesson ready: the engine, the lesson's file and its chapter's, from plain files.

import type { Engine } from "../engine/engine";
import type { Lesson } from "../engine/lesson";
import type { ChapterPage, LessonPage } from "../engine/lesson-page";
import type { RunningEngine } from "../engine/load";
import { type FileResult, failure, type Result, success } from "../engine/result";

export interface LoadedLesson {
  readonly running: RunningEngine;
  readonly lesson: Lesson;
  readonly page: LessonPage;
  /** A lesson whose chapter cannot be read is still a lesson. */
  readonly chapter: FileResult<ChapterPage>;
}

/** As exercise files spell ids. */
const idPattern = /^[a-z](?:[a-z0-9-]{0,62}[a-z0-9])?$/;

/** Loads the lesson `id` from the folder `exercises` (an address that ends with a slash). */
export async function loadLesson(
  starting: Promise<Result<RunningEngine>>,
  exercises: string,
  id: string,
): Promise<FileResult<LoadedLesson>> {
  const [running, bytes] = await Promise.all([starting, readExercise(exercises, id, "lesson")]);
  if (running.type === "error") return running;
  if (bytes.type === "error") return bytes;
  const { engine } = running.value;
  const lesson = engine.loadLesson(`${id}/lesson.json`, bytes.value);
  if (lesson.type !== "value") return lesson;
  const page = lesson.value.page();
  if (page.type === "error") return page;
  const chapter = await loadChapter(engine, exercises, page.value.chapter);
  return success({ running: running.value, lesson: lesson.value, page: page.value, chapter });
}

async function loadChapter(
  engine: Engine,
  exercises: string,
  id: string,
): Promise<FileResult<ChapterPage>> {
  const bytes = await readExercise(exercises, id, "chapter");
  return bytes.type === "error" ? bytes : engine.readChapter(`${id}/chapter.json`, bytes.value);
}

async function readExercise(
  exercises: string,
  id: string,
  kind: "lesson" | "chapter",
): Promise<Result<Uint8Array>> {
  const fault = (code: string, message: string): Result<never> =>
    failure({ code, where: kind, message });
  if (id === "") {
    return fault("no_id", "The address names no lesson: it ends in lesson.html?lesson=…");
  }
  if (!idPattern.test(id)) return fault("bad_id", `“${id}” cannot be the name of a ${kind}.`);
  const address = new URL(`${id}/${kind}.json`, exercises);
  const response = await fetch(address).catch(() => undefined);
  if (response?.ok) return success(new Uint8Array(await response.arrayBuffer()));
  if (response?.status === 404) {
    return fault(`no_${kind}`, `This site has no ${kind} called “${id}”.`);
  }
  const reason = response ? `the server answered ${response.status}` : "the server is not there";
  return fault("not_loaded", `The ${kind} “${id}” could not be loaded: ${reason}.`);
}
