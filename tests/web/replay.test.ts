import { readFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Engine } from "../../web/engine/engine";
import { startEngine } from "../../web/engine/load";
import type { AnswerEvent, Attempt } from "../../web/engine/progress";
import { slow } from "./progress/support";
import { compiledEngine } from "./support/engine";
import { value } from "./support/value";

const day_ms = 86_400_000;
const today = 20_800;
const now = { ms: today * day_ms + day_ms / 2, offset_min: 0 };

let engine: Engine;

beforeAll(async () => {
  engine = await startEngine(await compiledEngine());
});

/** An answer at noon UTC of a learning day. */
function event(n: number, day: number, rating: number | null, skill = "speedup"): AnswerEvent {
  return { id: `00000000000000aa-${n}`, skill, ms: day * day_ms + day_ms / 2, day, rating };
}

describe("a learning day in the module", () => {
  const file = path.join(import.meta.dirname, "../data/learning-day-cases.json");
  interface Instant {
    readonly utc_ms: number;
    readonly offset_min: number;
    readonly day: number;
  }
  const { cases } = JSON.parse(readFileSync(file, "utf8")) as {
    cases: readonly { readonly name: string; readonly first: Instant; readonly second: Instant }[];
  };

  it.each(cases)("is right for: $name", ({ first, second }) => {
    for (const { utc_ms, offset_min, day } of [first, second]) {
      expect(value(engine.learningDay({ ms: utc_ms, offset_min }))).toEqual({ day });
    }
  });

  it("is refused for a time that no date has", () => {
    for (const ms of [Number.NaN, Number.POSITIVE_INFINITY, 0.5, 9e15]) {
      expect(engine.learningDay({ ms, offset_min: 0 }).type, String(ms)).toBe("error");
    }
  });
});

describe("the rating of an answer", () => {
  it.each<[Attempt, number | null]>([
    [{ verdict: "correct" }, 3],
    [{ verdict: "correct", hints: 1 }, 2],
    [{ verdict: "incorrect" }, 1],
    [{ verdict: "partial" }, 1],
    [{ verdict: "invalid" }, null],
    [{ verdict: "needs_precision" }, null],
    // A guess among options; a retry; a prediction; a flashcard known at once after a day.
    [{ verdict: "correct", confidence: 1, flags: 32 }, 2],
    [{ verdict: "correct", flags: 1 }, null],
    [{ verdict: "incorrect", flags: 2 }, null],
    [{ verdict: "correct", flags: 64, elapsed_days: 1 }, 4],
  ])("%j is %s", (attempt, rating) => {
    expect(value(engine.rateAnswer(attempt))).toEqual({ rating });
  });

  it.each([
    [{ verdict: "right" }, "unknown_verdict", "/verdict"],
    [{ verdict: "correct", hints: -1 }, "out_of_range", "/hints"],
    [{ verdict: "correct", confidence: 4 }, "out_of_range", "/confidence"],
    [{}, "missing_key", "line 1, column 1"],
  ])("%j is refused with %s at %s", (attempt, code, where) => {
    expect(engine.rateAnswer(attempt as Attempt)).toMatchObject({ error: { code, where } });
  });
});

describe("a replay in the module", () => {
  it("knows nothing of an empty log", () => {
    expect(value(engine.replayAnswers([], now))).toEqual({
      day: today,
      skills: [],
      future_ids: [],
    });
  });

  it("has the memory of FSRS-6 after a first good answer, and its star today", () => {
    const [state] = value(engine.replayAnswers([event(1, today - 1, 3)], now)).skills;
    // ts-fsrs: S = 2.3065, D = 2.11810397, the next answer after 2 days.
    expect(state).toMatchObject({
      skill: "speedup",
      last_day: today - 1,
      reps: 1,
      lapses: 0,
      last_rating: 3,
      ever_right: true,
      due_day: today + 1,
      star: { band: "bright", brightness: 1, size: 1, interval_days: 2, due_in_days: 1 },
    });
    expect(state?.stability_days).toBeCloseTo(2.3065, 8);
    expect(state?.difficulty).toBeCloseTo(2.11810397, 8);
  });

  it("does not depend on the order of the log or on events that come twice", () => {
    const log = Array.from({ length: 60 }, (_, n) =>
      event(n + 1, today - 60 + n, n % 7 === 0 ? null : 1 + (n % 4), `skill-${n % 3}`),
    );
    const once = value(engine.replayAnswers(log, now));
    expect(once.skills.map(({ skill }) => skill)).toEqual(["skill-0", "skill-1", "skill-2"]);
    expect(value(engine.replayAnswers([...[...log].reverse(), ...log], now))).toEqual(once);
  });

  it("follows renamings and names answers from the future", () => {
    const log = [event(1, today - 5, 3, "old-name"), event(2, today + 30, 3, "other")];
    const renamings = [{ from: "old-name", to: "new-name" }];
    const { skills, future_ids } = value(engine.replayAnswers(log, now, renamings));
    expect(skills.map(({ skill }) => skill)).toEqual(["new-name", "other"]);
    expect(future_ids).toEqual(["00000000000000aa-2"]);
  });

  it("takes in the longest log, and refuses a longer one", slow, () => {
    const log = Array.from({ length: 50_000 }, (_, n) =>
      event(n + 1, today - (n % 3000), 3, `skill-${n % 500}`),
    );
    expect(value(engine.replayAnswers(log, now)).skills.length).toBe(500);
    const longer = [...log, event(50_001, today, 3)];
    expect(engine.replayAnswers(longer, now)).toMatchObject({ error: { code: "too_many_items" } });
  });

  it.each([
    [{ rating: 5 }, "out_of_range", "/events/0/rating"],
    [{ rating: 0 }, "out_of_range", "/events/0/rating"],
    [{ ms: Number.NaN }, "wrong_type", "/events/0/ms"],
    [{ ms: 9e15 }, "out_of_range", "00000000000000aa-1"],
    [{ day: 1.5 }, "out_of_range", "/events/0/day"],
    [{ skill: "" }, "empty_text", "/events/0/skill"],
  ])("refuses an event with %j, with %s at %s", (wrong, code, where) => {
    const result = engine.replayAnswers([{ ...event(1, today, 3), ...wrong }], now);
    expect(result).toMatchObject({ error: { code, where } });
  });
});
