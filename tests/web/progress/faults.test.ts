// Every call of the storage fails once, in every way that browsers have.

import { expect, test } from "vitest";
import { Drafts } from "../../../web/progress/drafts";
import { ExportReminder } from "../../../web/progress/reminder";
import {
  answer,
  type Call,
  detail,
  environment,
  MemoryStorage,
  openLog,
  prefix,
  quotaError,
  savedIds,
  securityError,
  slotKeys,
  slow,
} from "./support";

/** What can go wrong in one call; a write may be dropped in silence. */
const faults: Readonly<Record<string, (call: Call) => "skip" | undefined>> = {
  denied: () => {
    throw securityError();
  },
  "out of room": (call) => {
    if (call === "write") throw quotaError();
    return undefined;
  },
  dropped: (call) => (call === "write" || call === "remove" ? "skip" : undefined),
  "something else": () => {
    throw "a text, not an error";
  },
};

interface Outcome {
  /** Events that the page was told are saved. */
  readonly saved: Set<string>;
  readonly recorded: Set<string>;
}

/** A visit that uses everything but erasing. */
function visit(storage: MemoryStorage, outcome: Outcome): void {
  const drafts = new Drafts(environment(storage), "test-site");
  const reminder = new ExportReminder(environment(storage), "test-site");
  const log = openLog(storage);
  const extent = { events: 1, first_ms: 0, now_ms: 1 };
  for (let index = 0; index < 3; ++index) {
    drafts.keep("a-question", "6.6");
    const report = log.record(answer(index), detail(drafts.read("a-question") || "6.67"));
    if (report.type === "refused") throw new Error(report.fault.message);
    outcome.recorded.add(report.id);
    if (report.saved) outcome.saved.add(report.id);
    drafts.drop("a-question");
  }
  log.importText(log.exportText());
  if (reminder.isDue(extent)) reminder.putOff(extent);
  reminder.exported(extent);
  log.storageChanged(slotKeys[0], storage.texts.get(slotKeys[0]) ?? null);
  log.sync();
}

/** The visit with a fault in call number `failing` of the storage; how many calls there were. */
function visitWithFault(
  storage: MemoryStorage,
  failing: number,
  fault: (call: Call) => "skip" | undefined,
): Outcome & { readonly calls: number } {
  const outcome = { saved: new Set<string>(), recorded: new Set<string>() };
  const before = storage.calls;
  storage.before = (call) => (storage.calls - before === failing ? fault(call) : undefined);
  visit(storage, outcome);
  storage.before = () => undefined;
  return { ...outcome, calls: storage.calls - before };
}

/** Storages to begin with: fresh, in use, half damaged, all damaged. */
function beginnings(): Readonly<Record<string, MemoryStorage>> {
  const used = new MemoryStorage();
  const log = openLog(used);
  for (let index = 0; index < 3; ++index) log.record(answer(index));
  const half = new MemoryStorage(new Map(used.texts).set(slotKeys[0], "undefined"));
  const all = new MemoryStorage(
    new Map([
      [slotKeys[0], "{}"],
      [slotKeys[1], "[]"],
    ]),
  );
  return { fresh: new MemoryStorage(), used, half, all };
}

test("a fault in any call of the storage loses nothing and throws nothing", slow, () => {
  for (const [beginning, storage] of Object.entries(beginnings())) {
    const ids = savedIds(storage);
    for (const [name, fault] of Object.entries(faults)) {
      let calls = 1;
      for (let failing = 1; failing <= calls; ++failing) {
        const where = `${beginning}, ${name} in call ${failing}`;
        const trial = new MemoryStorage(new Map(storage.texts));
        const outcome = visitWithFault(trial, failing, fault);
        calls = outcome.calls;
        // The fault passed, so the last sync has saved all of it, told or not.
        expect(savedIds(trial), where).toEqual(new Set([...ids, ...outcome.recorded]));
      }
      expect(calls, beginning).toBeGreaterThan(30);
    }
  }
});

test("what was called saved is there although the page ends at the fault", slow, () => {
  for (const [beginning, storage] of Object.entries(beginnings())) {
    const ids = savedIds(storage);
    for (let ending = 1; ending <= 60; ++ending) {
      const trial = new MemoryStorage(new Map(storage.texts));
      const outcome = { saved: new Set<string>(), recorded: new Set<string>() };
      // From this call on nothing reaches the storage: a crash, or a device that is switched off.
      trial.before = (call) =>
        trial.calls >= ending && (call === "write" || call === "remove") ? "skip" : undefined;
      visit(trial, outcome);
      trial.before = () => undefined;
      const found = savedIds(trial);
      for (const id of [...ids, ...outcome.saved]) {
        expect(found.has(id), `${beginning}, ended in call ${ending}, ${id}`).toBe(true);
      }
    }
  }
});

test("no key is cleared, and none without the prefix is touched, whatever fails", slow, () => {
  for (const [beginning, storage] of Object.entries(beginnings())) {
    storage.texts.set("theirs", "1").set("lockstep/test-site-2/slot-0", "2");
    for (const fault of Object.values(faults)) {
      let calls = 1;
      for (let failing = 1; failing <= calls; ++failing) {
        const trial = new MemoryStorage(new Map(storage.texts));
        const touched = new Set<string>();
        trial.before = (call, key) => {
          if (call === "write" || call === "remove") touched.add(key);
          return trial.calls === failing ? fault(call) : undefined;
        };
        visit(trial, { saved: new Set(), recorded: new Set() });
        openLog(trial).erase();
        calls = trial.calls;
        for (const key of touched)
          expect(key.startsWith(prefix), `${beginning}: ${key}`).toBe(true);
        expect(trial.texts.get("theirs")).toBe("1");
        expect(trial.texts.get("lockstep/test-site-2/slot-0")).toBe("2");
      }
    }
  }
});

test("defaults are never written after a failed read", () => {
  for (const { texts } of Object.values(beginnings())) {
    const storage = new MemoryStorage(new Map(texts));
    storage.before = (call) => {
      if (call === "read") throw securityError();
      return undefined;
    };
    const log = openLog(storage);
    expect(log.record(answer(5))).toMatchObject({ saved: false });
    expect(log.mode).toEqual({ type: "memory", unsaved: 1 });
    expect(storage.texts).toEqual(texts);
  }
});

test("a fault in erasing is told: how many keys went and how many are left", () => {
  const storage = beginnings().used as MemoryStorage;
  storage.before = (call, key) => {
    if (call === "remove" && key === slotKeys[0]) throw securityError();
    return undefined;
  };
  expect(openLog(storage).erase()).toEqual({ removed: 1, left: 1 });
  storage.before = (call) => {
    if (call === "keys") throw securityError();
    return undefined;
  };
  expect(openLog(storage).erase()).toEqual({ removed: 0, left: null });
});
