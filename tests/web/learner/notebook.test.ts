import { beforeAll, describe, expect, it } from "vitest";
import type { Engine } from "../../../web/engine/engine";
import type { Lesson } from "../../../web/engine/lesson";
import { startEngine } from "../../../web/engine/load";
import { type Answering, Notebook } from "../../../web/learner/notebook";
import { Drafts } from "../../../web/progress/drafts";
import type { Environment } from "../../../web/progress/environment";
import { ProgressLog } from "../../../web/progress/log";
import {
  environment,
  MemoryStorage,
  quotaError,
  securityError,
  start_ms,
} from "../progress/support";
import { compiledEngine } from "../support/engine";
import { exerciseBytes, lessonPath } from "../support/exercises";
import { value } from "../support/value";

const day_ms = 86_400_000;
/** The three ratings that a number question can get (engine/lesson/star.h). */
const [again, hard, good] = [1, 2, 3];

let engine: Engine;
let lesson: Lesson;

beforeAll(async () => {
  engine = await startEngine(await compiledEngine());
  lesson = value(engine.loadLesson(lessonPath, exerciseBytes(lessonPath)));
});

/** A page load on `storage`, `days` after the first. */
function open(storage: MemoryStorage, days = 0, changes: Partial<Environment> = {}) {
  const clock = () => ({ ms: start_ms + days * day_ms, offset_min: 60 });
  const here = environment(storage, { clock, ...changes });
  const log = new ProgressLog(here, {
    site: "test-site",
    built_ms: Date.UTC(2026, 11, 1),
    partitioned: false,
  });
  const notebook = new Notebook({
    engine,
    lesson,
    page: value(lesson.page()),
    log,
    drafts: new Drafts(here, "test-site"),
    changes: new EventTarget(),
  });
  return { log, notebook };
}

function given(text: string, changes: Partial<Answering> = {}): Answering {
  return { question: "global-tokens", seed: 0, text, hints: 0, confidence: 0, ...changes };
}

const ratings = ({ log }: ReturnType<typeof open>) => log.list().map(({ rating }) => rating);

describe("an answer", () => {
  it("is kept with all that grading it again needs", () => {
    const page = open(new MemoryStorage());
    const { verdict, saved } = value(
      page.notebook.answer(given("64", { hints: 1, confidence: 3 })),
    );
    expect(verdict.code).toBe("mistake:one-device");
    expect(saved).toBe(true);
    const [event] = page.log.list();
    expect(event).toMatchObject({
      skill: "tokens-per-update",
      question: "using-many-devices/global-tokens",
      revision: 1,
      rating: again,
      verdict: "incorrect",
      hints: 1,
      confidence: 3,
      flags: 0,
    });
    const view = value(page.notebook.view("global-tokens", 0));
    expect(page.log.answers().get(event?.id ?? "")).toMatchObject({
      text: "64",
      locale: "und",
      seed: 0,
      numbers: [
        ["batch", "4"],
        ["length", "8"],
        ["accumulation", "2"],
        ["devices", "4"],
      ],
      code: "mistake:one-device",
      hash: view.hash,
    });
  });

  it("is found again by the next page load, with its verdict", () => {
    const storage = new MemoryStorage();
    value(open(storage).notebook.answer(given("64")));
    const past = open(storage).notebook.past("global-tokens", "answer");
    expect(past).toMatchObject({ text: "64", seed: 0, ms: start_ms, isToday: true });
    expect(past?.verdict?.code).toBe("mistake:one-device");
    expect(open(storage, 1).notebook.past("global-tokens", "answer")?.isToday).toBe(false);
    expect(open(storage).notebook.past("real-speedup", "answer")).toBeUndefined();
  });

  it("shows no verdict once the question is graded by other rules", () => {
    const storage = new MemoryStorage();
    const page = open(storage);
    value(page.notebook.answer(given("64")));
    const text = new TextDecoder().decode(exerciseBytes(lessonPath));
    const changed = text.replace('"id": "one-device"', '"id": "a-single-device"');
    const bytes = new TextEncoder().encode(changed.replaceAll("mistake:one-device", "incorrect"));
    const other = value(engine.loadLesson(lessonPath, bytes));
    const parts = { engine, lesson: other, page: value(other.page()), log: page.log };
    const { drafts, changes } = {
      drafts: new Drafts(environment(storage), "x"),
      changes: new EventTarget(),
    };
    const past = new Notebook({ ...parts, drafts, changes }).past("global-tokens", "answer");
    expect(past).toMatchObject({ text: "64", verdict: undefined });
    other.free();
  });

  it("in two tabs at once is kept from both", () => {
    const storage = new MemoryStorage();
    const [one, other] = [open(storage), open(storage)];
    value(one.notebook.answer(given("64")));
    value(other.notebook.answer(given("6.667", { question: "real-speedup" })));
    expect(open(storage).log.list()).toHaveLength(2);
  });

  it("tells the page that something has changed", () => {
    const { notebook } = open(new MemoryStorage());
    let told = 0;
    notebook.changes.addEventListener("change", () => {
      told += 1;
    });
    value(notebook.answer(given("64")));
    expect(told).toBe(1);
  });

  it.each([
    ["full", quotaError(), "memory"],
    ["blocked", securityError(), "memory"],
  ])("is graded where storage is %s, and said to be unsaved", (_, error, mode) => {
    const storage = new MemoryStorage();
    storage.before = (call) => {
      if (call === "write") throw error;
      return undefined;
    };
    const { notebook } = open(storage);
    const { verdict, saved } = value(notebook.answer(given("256")));
    expect(verdict.kind).toBe("correct");
    expect(saved).toBe(false);
    expect(notebook.mode.type).toBe(mode);
    expect(notebook.past("global-tokens", "answer")?.verdict?.kind).toBe("correct");
  });
});

describe("the rating of an answer", () => {
  it("is again for a wrong one, and none for the retry after it", () => {
    const page = open(new MemoryStorage());
    value(page.notebook.answer(given("64")));
    value(page.notebook.answer(given("256")));
    expect(ratings(page)).toEqual([again, null]);
  });

  it("counts anew on the next learning day", () => {
    const storage = new MemoryStorage();
    value(open(storage).notebook.answer(given("64")));
    const page = open(storage, 1);
    value(page.notebook.answer(given("256")));
    expect(ratings(page)).toEqual([again, good]);
  });

  it("is hard after a hint, and for a choice that was a guess", () => {
    const page = open(new MemoryStorage());
    value(page.notebook.answer(given("256", { hints: 1 })));
    const guess = given("computing-only", { question: "wall-clock-model", confidence: 1 });
    value(page.notebook.answer(guess));
    expect(ratings(page)).toEqual([hard, hard]);
  });

  it("is none for what cannot be read or lacks digits: the first try is still to come", () => {
    const page = open(new MemoryStorage());
    for (const text of ["", "abc", "6.67"]) {
      value(page.notebook.answer(given(text, { question: "real-speedup" })));
    }
    value(page.notebook.answer(given("6.667", { question: "real-speedup" })));
    expect(ratings(page)).toEqual([null, null, null, good]);
  });

  it("is again once the solution was asked for, and none for typing it in", () => {
    const page = open(new MemoryStorage());
    expect(value(page.notebook.giveUp(given(""))).answers[0]).toMatch(/^256\stokens$/);
    value(page.notebook.answer(given("256")));
    expect(ratings(page)).toEqual([again, null]);
    expect(page.notebook.past("global-tokens", "answer")?.text).toBe("256");
  });

  it("does not change when the solution is read after an answer", () => {
    const page = open(new MemoryStorage());
    value(page.notebook.answer(given("256")));
    value(page.notebook.giveUp(given("256")));
    expect(ratings(page)).toEqual([good]);
  });

  it("is none for a prediction, which the answer at the end does not suffer from", () => {
    const page = open(new MemoryStorage());
    const question = "wall-clock-model";
    value(page.notebook.predict(question, 0, "evenly-shared"));
    value(page.notebook.predict(question, 0, "never-faster"));
    expect(page.notebook.past(question, "prediction")?.text).toBe("never-faster");
    expect(page.notebook.past(question, "answer")).toBeUndefined();
    value(page.notebook.answer(given("computing-only", { question })));
    expect(ratings(page)).toEqual([null, null, good]);
    expect(page.notebook.past(question, "prediction")?.text).toBe("never-faster");
  });
});

describe("the stars of a lesson", () => {
  it("light with a right answer, come back after its interval, and have their titles", () => {
    const storage = new MemoryStorage();
    const page = open(storage);
    expect(value(page.notebook.stars()).map(({ star }) => star)).toEqual(
      new Array(5).fill(undefined),
    );
    value(page.notebook.answer(given("256")));
    const star = (days: number) =>
      value(open(storage, days).notebook.stars()).find(
        ({ skill }) => skill === "tokens-per-update",
      );
    expect(star(0)).toMatchObject({
      title: "Count the tokens of one update",
      star: { band: "bright", brightness: 1 },
    });
    // A first Good holds S = 2.3065 days (FSRS-6, w2): an interval of 2.
    expect(star(1)?.star).toMatchObject({ band: "bright", due_in_days: 1 });
    expect(star(2)?.star?.band).toBe("due");
  });
});

describe("a draft", () => {
  it("is found by the next page load with its numbers, and is gone once answered", () => {
    const storage = new MemoryStorage();
    const page = open(storage);
    page.notebook.keepDraft("global-tokens", { seed: 3, text: "12: 5" });
    expect(open(storage).notebook.readDraft("global-tokens")).toEqual({ seed: 3, text: "12: 5" });
    value(page.notebook.answer(given("no number")));
    expect(open(storage).notebook.readDraft("global-tokens")).toBeDefined();
    value(page.notebook.answer(given("64")));
    expect(open(storage).notebook.readDraft("global-tokens")).toBeUndefined();
  });

  it("is dropped where the text is emptied", () => {
    const { notebook } = open(new MemoryStorage());
    notebook.keepDraft("global-tokens", { seed: 0, text: "1" });
    notebook.keepDraft("global-tokens", { seed: 0, text: "" });
    expect(notebook.readDraft("global-tokens")).toBeUndefined();
  });
});

it("a question that the lesson does not have is an error, and nothing is kept", () => {
  const page = open(new MemoryStorage());
  const answered = page.notebook.answer(given("1", { question: "no-such" }));
  expect(answered).toMatchObject({ error: { code: "unknown_question", where: "no-such" } });
  expect(page.log.list()).toEqual([]);
});
