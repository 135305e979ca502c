import { beforeAll, describe, expect, it } from "vitest";
import type { Engine } from "../../web/engine/engine";
import type { Ask, Lesson, Locale } from "../../web/engine/lesson";
import { startEngine } from "../../web/engine/load";
import { lockstep } from "./support/command";
import { compiledEngine } from "./support/engine";
import { chapterPath, exerciseBytes, lessonPath } from "./support/exercises";
import { hostileBytes } from "./support/hostile";
import { value } from "./support/value";

const seeds = [0, 7, 4_294_967_295];
const locales: readonly (Locale | undefined)[] = [undefined, "en", "de"];
const variants = seeds.flatMap((seed) => locales.map((locale) => ({ seed, locale })));

let engine: Engine;
let lesson: Lesson;
let questions: string[];

beforeAll(async () => {
  engine = await startEngine(await compiledEngine());
  lesson = value(engine.loadLesson(lessonPath, exerciseBytes(lessonPath)));
  questions = value(lesson.page()).questions.map(({ id }) => id);
  expect(questions.length).toBeGreaterThan(0);
});

/** The command's words for a variant. */
function options(seed: number, locale: Locale | undefined): string[] {
  return ["--seed", String(seed), ...(locale ? ["--locale", locale] : [])];
}

describe("a lesson in the module", () => {
  it.each(variants)("is shown as the command shows it: %j", ({ seed, locale }) => {
    const views = questions.map((question) => value(lesson.view({ question, seed, locale })));
    const shown = lockstep("show", lessonPath, ...options(seed, locale), "--json");
    expect(`${JSON.stringify({ lesson: "using-many-devices", questions: views })}\n`).toBe(shown);
  });

  it.each(variants)("is graded as the command grades it: %j", ({ seed, locale }) => {
    for (const question of questions) {
      const { answers, mistakes } = value(lesson.reveal({ question, seed, locale }));
      const typed = [answers[0] ?? "", mistakes[0]?.answer ?? "", "1,5", "6.6", "", "ä"];
      for (const answer of typed) {
        const verdict = value(lesson.grade({ question, seed, locale }, answer));
        const words = [`--question=${question}`, `--answer=${answer}`, ...options(seed, locale)];
        const printed = lockstep("grade", lessonPath, ...words, "--json");
        expect(`${JSON.stringify(verdict)}\n`, words.join(" ")).toBe(printed);
      }
    }
  });

  it.each(
    variants.flatMap((variant) => [
      { ...variant, paper: "a4" as const },
      { ...variant, paper: "letter" as const },
    ]),
  )("is printed with the bytes that the command writes: %j", ({ seed, locale, paper }) => {
    const { html } = value(lesson.worksheet({ seed, locale, paper }));
    const words = [...options(seed, locale), "--paper", paper];
    expect(html).toBe(lockstep("worksheet", lessonPath, ...words, "-o", "-"));
    expect(html).toContain(`<style>${engine.worksheetStylesheet()}</style>`);
  });

  it("grades every answer right that it reveals, and every foreseen mistake as that", () => {
    for (let seed = 0; seed < 50; seed += 1) {
      for (const question of questions) {
        const ask: Ask = { question, seed, locale: "de" };
        const { answers, mistakes } = value(lesson.reveal(ask));
        expect(answers.length).toBeGreaterThan(0);
        for (const answer of answers) {
          const { kind } = value(lesson.grade(ask, answer));
          expect(kind, `${question}, seed ${seed}: ${answer}`).toBe("correct");
        }
        for (const { answer } of mistakes) {
          const { mistake } = value(lesson.grade(ask, answer));
          expect(mistake, `${question}, seed ${seed}: ${answer}`).not.toBeNull();
        }
      }
    }
  });

  it("has as many hints as the view says", () => {
    for (const question of questions) {
      const ask = { question, seed: 3 };
      expect(value(lesson.hints(ask)).hints.length).toBe(value(lesson.view(ask)).hints);
    }
  });

  it.each([
    [{ question: "real-speedup", seed: -1 }, "out_of_range", "seed"],
    [{ question: "real-speedup", seed: 2 ** 32 }, "out_of_range", "seed"],
    [{ question: "real-speedup", seed: 1.5 }, "out_of_range", "seed"],
    [{ question: "real-speedup", seed: Number.NaN }, "out_of_range", "seed"],
    [{ question: "real-speedup", seed: 0, locale: "xx" as Locale }, "unknown_locale", "locale"],
    [{ question: "reel-speedup", seed: 0 }, "unknown_question", "reel-speedup"],
  ])("refuses %j with %s", (ask, code, where) => {
    for (const result of [
      lesson.view(ask),
      lesson.grade(ask, "1"),
      lesson.hints(ask),
      lesson.reveal(ask),
    ]) {
      expect(result).toMatchObject({ type: "error", error: { code, where } });
    }
  });

  it("refuses a worksheet on a paper that it does not know", () => {
    const paper = "a5" as "a4";
    expect(lesson.worksheet({ seed: 0, paper })).toMatchObject({
      error: { code: "unknown_paper" },
    });
  });
});

describe("files at the border", () => {
  /** What a healthy instance says: never to change, whatever came in between. */
  function knownAnswer(): unknown {
    const fresh = value(engine.loadLesson(lessonPath, exerciseBytes(lessonPath)));
    // 80 s on one device, 10 s computing and 2 s communication on eight: 80 / 12.
    const right = value(fresh.grade({ question: "real-speedup", seed: 0 }, "20/3"));
    const sheet = value(fresh.worksheet({ seed: 7, paper: "a4" }));
    fresh.free();
    return { right, sheet };
  }

  it("gives a chapter with all that its lessons share", () => {
    const chapter = value(engine.readChapter(chapterPath, exerciseBytes(chapterPath), "en"));
    const written = JSON.parse(new TextDecoder().decode(exerciseBytes(chapterPath)));
    expect(chapter.title).toBe(written.title);
    expect(chapter.notation.map(({ symbol }) => symbol)).toEqual(
      written.notation.map(({ symbol }: { symbol: string }) => symbol),
    );
    expect(chapter.reference_code.lines).toEqual(written.reference_code.lines);
    expect(chapter.common_mistakes.length).toBe(written.common_mistakes.length);
  });

  it("counts the lessons that are not freed", () => {
    const before = engine.liveLessonCount();
    const loaded = Array.from({ length: 5 }, () =>
      value(engine.loadLesson(lessonPath, exerciseBytes(lessonPath))),
    );
    expect(engine.liveLessonCount()).toBe(before + 5);
    for (const one of loaded) one.free();
    expect(engine.liveLessonCount()).toBe(before);
  });

  it("names every fault of a file with its place", () => {
    const bytes = new TextEncoder().encode('{\n  "format": 1,\n  "tittle": "x"\n}');
    for (const result of [
      engine.loadLesson("a.json", bytes),
      engine.readChapter("a.json", bytes),
    ]) {
      expect(result).toMatchObject({
        type: "faults",
        faults: expect.arrayContaining([
          expect.objectContaining({ code: "unknown_key", path: "a.json", line: 3, column: 3 }),
          expect.objectContaining({ code: "missing_key" }),
        ]),
      });
    }
  });

  it("refuses what is no array of bytes, and one that is too long", () => {
    const text = "{}" as unknown as Uint8Array;
    expect(engine.loadLesson("a.json", text)).toMatchObject({ error: { code: "not_bytes" } });
    const long = new Uint8Array((1 << 20) + 1).fill(0x20);
    expect(engine.loadLesson("a.json", long)).toMatchObject({
      faults: [{ code: "file_too_large" }],
    });
  });

  it("gives the same answer before, between and after hostile files and answers", () => {
    const before = knownAnswer();
    const live = engine.liveLessonCount();
    const whole = exerciseBytes(lessonPath);
    for (let seed = 0; seed < 40; seed += 1) {
      const flipped = whole.slice();
      const place = (seed * 7919) % flipped.length;
      flipped[place] = (flipped[place] ?? 0) ^ 0x80;
      const cut = whole.slice(0, (seed * 6007) % whole.length);
      for (const bytes of [...hostileBytes(seed), flipped, cut]) {
        expect(engine.loadLesson("a.json", bytes).type, `seed ${seed}`).toBe("faults");
        expect(engine.readChapter("a.json", bytes).type, `seed ${seed}`).toBe("faults");
        const answer = new TextDecoder().decode(bytes);
        const verdict = value(lesson.grade({ question: "real-speedup", seed }, answer));
        expect(verdict.kind, `seed ${seed}`).toBe("invalid");
      }
    }
    for (const answer of ["9".repeat(100_000), "(".repeat(5000), "2^2^2^2^2^2", "\ud800", "\0"]) {
      value(lesson.grade({ question: "real-speedup", seed: 1 }, answer));
    }
    expect(engine.liveLessonCount()).toBe(live);
    expect(knownAnswer()).toEqual(before);
  });
});
