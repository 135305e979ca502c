// What the tests of progress share: a storage that fails on demand, seeded numbers, sample answers.

import type { Environment, TextStorage } from "../../../web/progress/environment";
import type { AnswerDetail, ProgressEvent } from "../../../web/progress/event";
import { type Answer, type Detail, type LogSettings, ProgressLog } from "../../../web/progress/log";
import type { Progress } from "../../../web/progress/merge";

/** A seeded stream of numbers (mulberry32): `below(n)` is a whole number from 0 to n − 1. */
export function seeded(seed: number): { below(bound: number): number } {
  let state = seed | 0;
  return {
    below(bound) {
      state = (state + 0x6d2b79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
      return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * bound);
    },
  };
}

export type Call = "read" | "write" | "remove" | "keys";

export function quotaError(): Error {
  return Object.assign(new Error("quota"), { name: "QuotaExceededError" });
}

export function securityError(): Error {
  return Object.assign(new Error("denied"), { name: "SecurityError" });
}

/** A storage in memory. `before` sees every call first and may throw or answer in its stead. */
export class MemoryStorage implements TextStorage {
  calls = 0;
  before: (call: Call, key: string) => "skip" | undefined = () => undefined;

  constructor(readonly texts = new Map<string, string>()) {}

  read(key: string): string | null {
    this.count("read", key);
    return this.texts.get(key) ?? null;
  }

  write(key: string, text: string): void {
    if (this.count("write", key) !== "skip") this.texts.set(key, text);
  }

  remove(key: string): void {
    if (this.count("remove", key) !== "skip") this.texts.delete(key);
  }

  keys(): readonly string[] {
    this.count("keys", "");
    return [...this.texts.keys()];
  }

  private count(call: Call, key: string): "skip" | undefined {
    this.calls += 1;
    return this.before(call, key);
  }
}

export const start_ms = Date.UTC(2027, 0, 4, 12);
export const prefix = "lockstep/test-site/";
export const slotKeys = [`${prefix}slot-0`, `${prefix}slot-1`] as const;

/** For laws over thousands of cases: a limit for what hangs, not a claim about speed. */
export const slow = { timeout: 120_000 };

let writers = 0;

/** An environment with a clock that stands still; every one has a writer of its own. */
export function environment(storage: TextStorage, changes: Partial<Environment> = {}): Environment {
  return {
    storage,
    clock: () => ({ ms: start_ms, offset_min: 60 }),
    randomBits: () => (++writers).toString(16).padStart(16, "0"),
    lock: null,
    ...changes,
  };
}

/** A page load on `storage`. */
export function openLog(
  storage: TextStorage,
  changes: Partial<Environment> = {},
  settings: Partial<LogSettings> = {},
): ProgressLog {
  return new ProgressLog(environment(storage, changes), {
    site: "test-site",
    built_ms: Date.UTC(2026, 11, 1),
    partitioned: false,
    ...settings,
  });
}

/** Answer number `index`: one a minute. */
export function answer(index: number, changes: Partial<Answer> = {}): Answer {
  const ms = start_ms + index * 60_000;
  return {
    skill: `skill-${index % 3}`,
    question: `data-parallel/question-${index % 5}`,
    revision: 1,
    ms,
    offset_min: 60,
    day: Math.floor((ms - 3 * 3_600_000) / 86_400_000),
    rating: 3,
    verdict: "correct",
    hints: 0,
    confidence: 2,
    flags: 0,
    ...changes,
  };
}

export function detail(text: string): Detail {
  return {
    text,
    locale: "en",
    seed: 7,
    numbers: [["devices", "8"]],
    code: "correct",
    hash: "00ff00ff00ff00ff",
  };
}

/** The ids that a page load on `storage` finds. */
export function savedIds(storage: MemoryStorage): Set<string> {
  return new Set(
    openLog(new MemoryStorage(new Map(storage.texts)))
      .list()
      .map(({ id }) => id),
  );
}

/** A random set of progress, from so few ids that sets overlap and contradict each other. */
export function randomProgress(random: ReturnType<typeof seeded>): Progress {
  const events = new Map<string, ProgressEvent>();
  const details = new Map<string, AnswerDetail>();
  for (let left = random.below(8); left > 0; --left) {
    const event = { id: randomId(random), ...answer(random.below(4), { hints: random.below(2) }) };
    events.set(event.id, event);
    const text = `answer ${random.below(2)}`;
    details.set(event.id, { id: event.id, ms: event.ms, ...detail(text) });
  }
  return { events, details };
}

function randomId(random: ReturnType<typeof seeded>): string {
  return `${random.below(3).toString(16).padStart(16, "0")}-${1 + random.below(4)}`;
}

/** Progress as a text that is equal where the sets are. */
export function progressText(progress: Progress): string {
  const sorted = (items: ReadonlyMap<string, object>) =>
    [...items].sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([sorted(progress.events), sorted(progress.details)]);
}
