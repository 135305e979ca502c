import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readExport, writeExport } from "../../../web/progress/exchange";
import type { Progress } from "../../../web/progress/merge";
import {
  answer,
  detail,
  MemoryStorage,
  openLog,
  progressText,
  randomProgress,
  seeded,
  start_ms,
} from "./support";

const head = { site: "test-site", ms: start_ms };
const fixture = readFileSync(new URL("fixtures/export-1.txt", import.meta.url), "utf8");

/** The progress of a file that can be read. */
function progressOf(text: string): Progress | null {
  const read = readExport(text);
  return read.type === "read" ? read.progress : null;
}

/** An export of one good answer with changes to its text. */
function changedExport(change: (text: string) => string): string {
  const log = openLog(new MemoryStorage(), { randomBits: () => "000000000000000a" });
  log.record(answer(0), detail("6.667"));
  const text = log.exportText();
  const changed = change(text);
  expect(changed).not.toBe(text);
  return changed;
}

test("an export gives back the progress that it was made from", () => {
  for (let seed = 1; seed <= 1000; ++seed) {
    const progress = randomProgress(seeded(seed));
    const read = progressOf(writeExport(progress, head));
    expect(read && progressText(read), `seed ${seed}`).toBe(progressText(progress));
  }
});

test("export, erase and import give the identical state", () => {
  const storage = new MemoryStorage();
  const log = openLog(storage);
  for (let index = 0; index < 250; ++index) log.record(answer(index), detail(`${index}`));
  const text = log.exportText();
  expect(log.erase()).toMatchObject({ left: 0 });
  expect(log.list()).toEqual([]);
  expect(storage.texts.size).toBe(0);
  expect(log.importText(text)).toMatchObject({ added: 250, known: 0, refused: 0, saved: true });
  expect(log.exportText()).toBe(text);
  expect(openLog(storage).exportText()).toBe(text);
});

test("an import says what is new, what was here and what is refused", () => {
  const one = openLog(new MemoryStorage());
  const two = openLog(new MemoryStorage());
  for (let index = 0; index < 12; ++index) one.record(answer(index));
  for (let index = 0; index < 40; ++index) two.record(answer(index));
  one.importText(two.exportText());
  expect(two.importText(one.exportText())).toEqual({
    type: "imported",
    added: 12,
    known: 40,
    refused: 0,
    faults: [],
    saved: true,
  });
  expect(two.list()).toEqual(one.list());
});

test("a file that is none of ours is refused with the place, and changes nothing", () => {
  const bad: readonly [text: string, where: string][] = [
    ["", ""],
    ["undefined", ""],
    ["[]", "format"],
    ["7", ""],
    ["null", ""],
    ["{}", "format"],
    ["[".repeat(1_000_000), ""],
    [fixture.replace("lockstep progress", "another"), "format"],
    [fixture.replace('"schema": 1', '"schema": 2'), "schema"],
    [fixture.replace('"schema": 1', '"schema": "1"'), "schema"],
    [fixture.replace('"schema": 1', '"schema": 0'), "schema"],
    [fixture.replace('"events": [', '"events": {}, "more": ['), "events"],
    [fixture.replace('"answers": [', '"more": ['), "answers"],
  ];
  const storage = new MemoryStorage();
  const log = openLog(storage);
  log.record(answer(0));
  const before = new Map(storage.texts);
  for (const [text, where] of bad) {
    const report = log.importText(text);
    expect(report, text.slice(0, 60)).toMatchObject({ type: "unreadable", fault: { where } });
    expect(storage.texts).toEqual(before);
  }
});

test("a faulty event is refused with its place, and the others come in", () => {
  const faults: readonly [from: string, to: string, where: string][] = [
    ['"hints":0', '"hints":-1', "events/0/hints"],
    ['"hints":0', '"hints":null', "events/0/hints"],
    ['"hints":0', '"hints":1e400', "events/0/hints"],
    ['"hints":0,', "", "events/0"],
    ['"hints":0', '"hints":0,"more":1', "events/0"],
    ['"hints":0', '"hints":0,"__proto__":{"polluted":1}', "events/0"],
    ['"rating":3', '"rating":5', "events/0/rating"],
    ['"rating":3', '"rating":0', "events/0/rating"],
    ['"rating":3', '"rating":2.5', "events/0/rating"],
    ['"day":', '"day":1', "events/0/day"],
    ['"id":"000000000000000a-1","skill"', '"id":"a-1","skill"', "events/0/id"],
    ['"skill":"skill-0"', '"skill":"__proto__"', "events/0/skill"],
    ['"skill":"skill-0"', '"skill":"constructor"', "events/0/skill"],
    ['"skill":"skill-0"', '"skill":"<img src=x>"', "events/0/skill"],
    ['"verdict":"correct"', '"verdict":"<b>"', "events/0/verdict"],
    ['"seed":7', '"seed":4294967296', "answers/0/seed"],
    ['[["devices","8"]]', '[["devices",8]]', "answers/0/numbers"],
    ['"text":"6.667"', `"text":"${"6".repeat(4001)}"`, "answers/0/text"],
  ];
  for (const [from, to, where] of faults) {
    const read = readExport(changedExport((text) => text.replace(from, to)));
    expect(read, to).toMatchObject({ type: "read", refused: 1, faults: [{ where }] });
    const taken = read.type === "read" ? read.progress.events.size + read.progress.details.size : 0;
    expect(taken, to).toBe(1);
  }
  expect(({} as Readonly<Record<string, unknown>>).polluted).toBeUndefined();
});

test("P29: an export of schema 1 comes into this build", () => {
  const log = openLog(new MemoryStorage());
  expect(log.importText(fixture)).toMatchObject({ added: 3, refused: 0, saved: true });
  expect(log.exportText()).toBe(fixture);
});

test("P33: neither a file's name nor a byte order mark nor its line ends matter", () => {
  for (const text of [`\uFEFF${fixture}`, fixture.replaceAll("\n", "\r\n"), ` ${fixture}\n\n`]) {
    expect(openLog(new MemoryStorage()).importText(text)).toMatchObject({ added: 3, refused: 0 });
  }
});
