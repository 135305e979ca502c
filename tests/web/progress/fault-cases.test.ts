// Faults that other products had with saved progress, each as a case for ours, under the id that
// the project's list of such reports gives it. P29 and P33 stand with the tests of exports.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { keepSaved } from "../../../web/progress/browser";
import { crc32 } from "../../../web/progress/crc32";
import { Drafts } from "../../../web/progress/drafts";
import { ExportReminder } from "../../../web/progress/reminder";
import {
  answer,
  detail,
  environment,
  MemoryStorage,
  openLog,
  prefix,
  quotaError,
  savedIds,
  securityError,
  slotKeys,
  start_ms,
} from "./support";

/** A storage in which `call` always fails, or every call. */
function failing(thrown: () => Error, only?: string): MemoryStorage {
  const storage = new MemoryStorage();
  storage.before = (call) => {
    if (!only || call === only) throw thrown();
    return undefined;
  };
  return storage;
}

/** What a page is to a listener. */
function page() {
  const visibilityState = "visible" as DocumentVisibilityState;
  const document = Object.assign(new EventTarget(), { visibilityState });
  return { window: new EventTarget(), document };
}

function newerSlot(): string {
  const crc = crc32("2 9 2", crc32("{}")).toString(16).padStart(8, "0");
  return `lockstep-progress 2 9 ${crc} 2\n{}`;
}

test("B45: two questions titled alike keep records of their own: the key is the id", () => {
  const log = openLog(new MemoryStorage());
  log.record(answer(0, { question: "lesson-a/speedup" }), detail("1"));
  log.record(answer(1, { question: "lesson-b/speedup" }), detail("2"));
  expect(log.list().map(({ question }) => question)).toEqual([
    "lesson-a/speedup",
    "lesson-b/speedup",
  ]);
});

test("B47: after starting fresh the next person finds nothing, in no open tab", () => {
  const storage = new MemoryStorage();
  const one = openLog(storage);
  const other = openLog(storage);
  one.record(answer(0), detail("mine"));
  new Drafts(environment(storage), "test-site").keep("a-question", "mine");
  other.storageChanged(slotKeys[0], storage.texts.get(slotKeys[0]) ?? null);
  expect(one.erase()).toEqual({ removed: 2, left: 0 });
  other.storageChanged(slotKeys[0], null);
  expect(other.list()).toEqual([]);
  other.record(answer(1));
  expect(openLog(storage).list()).toEqual(other.list());
  expect([...storage.texts.values()].join()).not.toContain("mine");
});

test("B51: an answer is in storage when the call that records it returns", () => {
  const storage = new MemoryStorage();
  openLog(storage).record(answer(0));
  expect(savedIds(storage).size).toBe(1);
});

test("B53: a fraction comes back as it was typed", () => {
  const storage = new MemoryStorage();
  openLog(storage).record(answer(0), detail("3/11"));
  expect([...openLog(storage).answers().values()][0]?.text).toBe("3/11");
});

test("B56: where writing throws, the page works in memory, says so and exports", () => {
  const log = openLog(failing(quotaError, "write"));
  expect(log.mode).toEqual({ type: "memory", unsaved: 0 });
  expect(log.record(answer(0))).toMatchObject({ type: "recorded", saved: false });
  expect(log.mode).toEqual({ type: "memory", unsaved: 1 });
  expect(openLog(new MemoryStorage()).importText(log.exportText())).toMatchObject({ added: 1 });
});

test("B57: where reading already throws, as in a frame, everything works in memory", () => {
  const log = openLog(failing(securityError));
  expect(log.record(answer(0))).toMatchObject({ type: "recorded", saved: false });
  expect(log.list().length).toBe(1);
  expect(log.mode).toEqual({ type: "memory", unsaved: 1 });
});

test("B58: what the browser removed comes back by import; a bad file changes nothing", () => {
  const storage = new MemoryStorage();
  const log = openLog(storage);
  log.record(answer(0));
  const exported = log.exportText();
  storage.texts.clear();
  const later = openLog(storage);
  expect(later.importText("{")).toMatchObject({ type: "unreadable" });
  expect(storage.texts.size).toBe(0);
  expect(later.importText(exported)).toMatchObject({ added: 1, saved: true });
  expect(openLog(storage).list()).toEqual(log.list());
});

test("B59: what was saved is there as soon as the log is open, at the first visit too", () => {
  const storage = new MemoryStorage();
  openLog(storage).record(answer(0), detail("3/11"));
  const log = openLog(storage);
  expect(log.list().length).toBe(1);
  expect(log.answers().size).toBe(1);
});

test("P1: erased by the browser, the page opens, has nothing, and an import restores all", () => {
  const storage = new MemoryStorage();
  const log = openLog(storage);
  log.record(answer(0));
  log.record(answer(1));
  const exported = log.exportText();
  storage.texts.clear();
  const fresh = openLog(storage);
  expect(fresh.mode).toEqual({ type: "saved", events: 0 });
  fresh.importText(exported);
  expect(fresh.list()).toEqual(log.list());
});

test("P3: every released schema is read, and its slot kept until the new one is written", () => {
  const released = readFileSync(new URL("fixtures/schema-1.txt", import.meta.url), "ascii");
  const storage = new MemoryStorage(new Map([[slotKeys[0], released]]));
  const log = openLog(storage);
  expect(log.list().length).toBe(3);
  let oldWhenRead = "";
  storage.before = (call, key) => {
    if (call === "read" && key === slotKeys[1]) oldWhenRead = storage.texts.get(slotKeys[0]) ?? "";
    return undefined;
  };
  log.record(answer(0));
  expect(oldWhenRead).toBe(released);
  expect(storage.texts.get(slotKeys[0])).toBe(released);
  expect(savedIds(storage).size).toBe(4);
});

test("P5: events of a skill that no lesson has any more are kept and exported", () => {
  const storage = new MemoryStorage();
  openLog(storage).record(answer(0, { skill: "renamed-away" }));
  const log = openLog(storage);
  log.record(answer(1));
  expect(log.list()[0]?.skill).toBe("renamed-away");
  expect(log.exportText()).toContain('"skill":"renamed-away"');
});

test("P7: a reload straight after the answer finds it", () => {
  const storage = new MemoryStorage();
  for (let visits = 1; visits <= 5; ++visits) {
    const report = openLog(storage).record(answer(visits));
    expect(report).toMatchObject({ saved: true });
    expect(savedIds(storage).size).toBe(visits);
  }
});

test("P9: without any room from the start, the mode is memory, not a full storage", () => {
  expect(openLog(failing(quotaError, "write")).mode.type).toBe("memory");
});

test("P11: no call throws, whatever the storage throws", () => {
  const storage = failing(securityError);
  const log = openLog(storage);
  const drafts = new Drafts(environment(storage), "test-site");
  const reminder = new ExportReminder(environment(storage), "test-site");
  const extent = { events: 1, first_ms: 0, now_ms: 1 };
  log.record(answer(0), detail("1"));
  log.sync();
  log.storageChanged(null, null);
  log.storageChanged(slotKeys[0], "text");
  log.importText(log.exportText());
  expect(log.damages).toEqual([]);
  expect(log.erase()).toEqual({ removed: 0, left: null });
  expect([drafts.keep("q", "1"), drafts.read("q"), drafts.drop("q")]).toEqual([false, "", false]);
  reminder.exported(extent);
  reminder.putOff(extent);
  expect(reminder.lastExport_ms).toBeNull();
});

test("P13: a storage that stops to work after the start is noticed", () => {
  const storage = new MemoryStorage();
  const log = openLog(storage);
  log.record(answer(0));
  storage.before = () => {
    throw securityError();
  };
  log.record(answer(1));
  expect(log.mode).toEqual({ type: "memory", unsaved: 1 });
  storage.before = () => undefined;
  log.sync();
  expect(log.mode).toEqual({ type: "saved", events: 2 });
});

test("P15: two tabs answer different questions: both answers are there after a reload", () => {
  const storage = new MemoryStorage();
  const [one, two] = [openLog(storage), openLog(storage)];
  one.record(answer(0));
  two.record(answer(1));
  one.record(answer(2));
  expect(savedIds(storage).size).toBe(3);
});

test("P17: after a failed write the next one carries everything", () => {
  const storage = new MemoryStorage();
  const log = openLog(storage);
  log.record(answer(0));
  let failures = 1;
  storage.before = (call) => {
    if (call === "write" && failures-- > 0) throw quotaError();
    return undefined;
  };
  expect(log.record(answer(1))).toMatchObject({ saved: false });
  expect(log.mode).toEqual({ type: "full", unsaved: 1 });
  expect(log.record(answer(2))).toMatchObject({ saved: true });
  expect(log.mode).toEqual({ type: "saved", events: 3 });
  expect(savedIds(storage).size).toBe(3);
});

test("P19: the tab that closes last takes nothing back", () => {
  const storage = new MemoryStorage();
  const [one, two] = [openLog(storage), openLog(storage)];
  two.record(answer(0));
  two.sync(); // closes
  one.sync(); // closes, having heard nothing
  expect(savedIds(storage).size).toBe(1);
});

test("P21: what is no value is never written", () => {
  const storage = new MemoryStorage();
  const log = openLog(storage);
  const texts = new Map(storage.texts);
  for (const value of [undefined, Number.NaN, Number.POSITIVE_INFINITY, () => 1, {}, "3", 2.5]) {
    for (const field of ["ms", "day", "rating", "hints", "skill", "verdict"] as const) {
      if (field === "verdict" && value === "3") continue;
      const report = log.record(answer(0, { [field]: value as never }));
      expect(report, `${field} ${String(value)}`).toMatchObject({
        type: "refused",
        fault: { where: `event/${field}` },
      });
    }
    const bad = { ...detail("1"), seed: value as never };
    expect(log.record(answer(0), bad)).toMatchObject({ fault: { where: "detail/seed" } });
  }
  expect(storage.texts).toEqual(texts);
  expect(log.list()).toEqual([]);
});

test('P21: the text "undefined" in a slot is set aside', () => {
  const storage = new MemoryStorage(new Map([[slotKeys[0], "undefined"]]));
  const log = openLog(storage);
  expect(log.damages).toEqual([{ text: "undefined", setAside: true }]);
  log.record(answer(0));
  log.record(answer(1));
  log.record(answer(2));
  expect([...storage.texts.values()]).toContain("undefined");
});

test("P23: JSON of another shape in a slot is set aside, and the page starts", () => {
  for (const text of ["[]", "7", '{"a":{"b":{"c":[[[]]]}}}', "[".repeat(100_000)]) {
    const log = openLog(new MemoryStorage(new Map([[slotKeys[1], text]])));
    expect(log.damages).toEqual([{ text, setAside: true }]);
    expect(log.record(answer(0))).toMatchObject({ saved: true });
  }
});

test("P25: a reminder to export comes after 20 new events or 7 days, and can be put off", () => {
  const reminder = new ExportReminder(environment(new MemoryStorage()), "test-site");
  const extent = (events: number, days: number) => ({
    events,
    first_ms: start_ms,
    now_ms: start_ms + days * 86_400_000,
  });
  expect(reminder.isDue(extent(0, 30))).toBe(false);
  expect(reminder.isDue(extent(19, 6))).toBe(false);
  expect(reminder.isDue(extent(20, 0))).toBe(true);
  expect(reminder.isDue(extent(1, 7))).toBe(true);
  reminder.putOff(extent(20, 8));
  expect(reminder.isDue(extent(20, 8))).toBe(false);
  expect(reminder.isDue(extent(39, 14))).toBe(false);
  expect(reminder.isDue(extent(40, 9))).toBe(true);
  reminder.exported(extent(40, 9));
  expect(reminder.isDue(extent(40, 99))).toBe(false);
  expect(reminder.isDue(extent(41, 16))).toBe(true);
});

test("P27: the last export's time is known, and putting a reminder off does not change it", () => {
  const storage = new MemoryStorage();
  const reminder = new ExportReminder(environment(storage), "test-site");
  expect(reminder.lastExport_ms).toBeNull();
  reminder.exported({ events: 3, first_ms: 0, now_ms: start_ms });
  reminder.putOff({ events: 30, first_ms: 0, now_ms: start_ms + 5 });
  expect(new ExportReminder(environment(storage), "test-site").lastExport_ms).toBe(start_ms);
  for (const text of ["undefined", "{}", "[1,2,-3]", '["a"]', "[1e400]"]) {
    storage.texts.set(`${prefix}exported`, text);
    expect(reminder.lastExport_ms, text).toBeNull();
  }
});

test("P31: over a newer schema nothing is written, not even aside", () => {
  const storage = new MemoryStorage(
    new Map([
      [slotKeys[0], newerSlot()],
      [slotKeys[1], "damaged"],
    ]),
  );
  const before = new Map(storage.texts);
  const log = openLog(storage);
  expect(log.mode).toEqual({ type: "newer", schema: 2, unsaved: 0 });
  expect(log.record(answer(0))).toMatchObject({ type: "recorded", saved: false });
  log.sync();
  expect(log.mode).toEqual({ type: "newer", schema: 2, unsaved: 1 });
  expect(storage.texts).toEqual(before);
});

test("P31: an old tab stops writing when a newer build writes beside it", () => {
  const storage = new MemoryStorage();
  const log = openLog(storage);
  log.record(answer(0));
  storage.texts.set(slotKeys[1], newerSlot());
  log.storageChanged(slotKeys[1], newerSlot());
  expect(log.record(answer(1))).toMatchObject({ saved: false });
  expect(storage.texts.get(slotKeys[1])).toBe(newerSlot());
  expect(log.list().length).toBe(2);
});

test("P35: the page is only ever hidden, then ends: draft and answers are there", () => {
  const storage = new MemoryStorage();
  const log = openLog(storage);
  const drafts = new Drafts(environment(storage), "test-site");
  const { window, document } = page();
  const stop = keepSaved({ window, document }, log, () => drafts.keep("a-question", "6.6"));
  let failures = 1;
  storage.before = (call) => {
    if (call === "write" && failures-- > 0) throw quotaError();
    return undefined;
  };
  log.record(answer(0));
  expect(savedIds(storage).size).toBe(0);
  document.visibilityState = "hidden";
  document.dispatchEvent(new Event("visibilitychange"));
  expect(savedIds(storage).size).toBe(1);
  expect(new Drafts(environment(storage), "test-site").read("a-question")).toBe("6.6");
  stop();
});

test("P35: leaving, coming back and another tab's answer are heard", () => {
  const storage = new MemoryStorage();
  const log = openLog(storage);
  const { window, document } = page();
  let drafts = 0;
  const stop = keepSaved({ window, document }, log, () => (drafts += 1));
  openLog(storage).record(answer(0));
  window.dispatchEvent(new Event("pageshow"));
  expect(log.list().length).toBe(1);
  window.dispatchEvent(new Event("pagehide"));
  expect(drafts).toBe(1);
  openLog(storage).record(answer(1));
  const heard = { key: slotKeys[1], newValue: storage.texts.get(slotKeys[1]) };
  window.dispatchEvent(Object.assign(new Event("storage"), heard));
  expect(log.list().length).toBe(2);
  stop();
  window.dispatchEvent(new Event("pagehide"));
  expect(drafts).toBe(1);
});

test("P39: in a frame of another site the mode says that it is kept for there only", () => {
  const log = openLog(new MemoryStorage(), {}, { partitioned: true });
  log.record(answer(0));
  expect(log.mode).toEqual({ type: "partitioned", events: 1 });
  const blocked = openLog(failing(securityError), {}, { partitioned: true });
  expect(blocked.mode.type).toBe("memory");
});

test("P41: what a question was like when it was answered is kept beside the answer", () => {
  const storage = new MemoryStorage();
  openLog(storage).record(answer(0, { revision: 3 }), detail("6.667"));
  const log = openLog(storage);
  const [event] = log.list();
  expect(event?.revision).toBe(3);
  expect(log.answers().get(event?.id ?? "")).toMatchObject(detail("6.667"));
});

test("P45: the list, the export and the storage tell of the same answers", () => {
  const storage = new MemoryStorage();
  const log = openLog(storage);
  for (let index = 0; index < 5; ++index) log.record(answer(index));
  const reloaded = openLog(storage);
  expect(reloaded.list()).toEqual(log.list());
  expect(reloaded.exportText()).toBe(log.exportText());
  expect(reloaded.mode).toEqual({ type: "saved", events: 5 });
});

test("D21: with the clock set back to 1970 an answer is dated as the newest one", () => {
  const storage = new MemoryStorage();
  openLog(storage).record(answer(0));
  const back = openLog(storage, { clock: () => ({ ms: 43_200_000, offset_min: 60 }) });
  expect(back.moment()).toEqual({ ms: answer(0).ms, offset_min: 60 });
  const empty = openLog(new MemoryStorage(), { clock: () => ({ ms: 0, offset_min: 0 }) });
  expect(empty.moment()).toEqual({ ms: Date.UTC(2026, 11, 1), offset_min: 0 });
});

test("C3: the day of an answer is kept as it was, wherever it is read later", () => {
  const storage = new MemoryStorage();
  openLog(storage).record(answer(0, { offset_min: 540, day: answer(0).day + 1 }));
  const elsewhere = openLog(storage, { clock: () => ({ ms: start_ms, offset_min: -480 }) });
  expect(elsewhere.list()[0]).toMatchObject({ offset_min: 540, day: answer(0).day + 1 });
});
