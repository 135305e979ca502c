import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { crc32 } from "../../../web/progress/crc32";
import { PayloadWriter, readPayload } from "../../../web/progress/payload";
import { openSlot, type Payload, sealSlot } from "../../../web/progress/slot";
import {
  answer,
  detail,
  MemoryStorage,
  openLog,
  prefix,
  progressText,
  randomProgress,
  savedIds,
  seeded,
  slotKeys,
  slow,
} from "./support";

function payloadOf(text: string): Payload {
  return { text, crc: crc32(text) };
}

/** Storage after `count` answers, one by one: both slots are full. */
function storageWith(count: number): MemoryStorage {
  const storage = new MemoryStorage();
  const log = openLog(storage);
  for (let index = 0; index < count; ++index) log.record(answer(index), detail("6.667"));
  return storage;
}

/** `texts` with the text of `key` changed. */
function damaged(storage: MemoryStorage, key: string, text: string): MemoryStorage {
  return new MemoryStorage(new Map(storage.texts).set(key, text));
}

test("the checksum is that of zip and PNG", () => {
  expect(crc32("123456789")).toBe(0xcbf43926); // the check value of CRC-32/ISO-HDLC
  expect(crc32("6789", crc32("12345"))).toBe(0xcbf43926);
  expect(crc32("")).toBe(0);
});

test("a payload gives back the progress that it was written from", () => {
  for (let seed = 1; seed <= 1000; ++seed) {
    const progress = randomProgress(seeded(seed));
    const writer = new PayloadWriter();
    for (const event of progress.events.values()) writer.add(event);
    const payload = writer.payload(progress.details.values());
    const read = readPayload(payload.text);
    expect(read && progressText(read), `seed ${seed}`).toBe(progressText(progress));
    expect(payload.crc, `seed ${seed}`).toBe(crc32(payload.text));
    expect(openSlot(sealSlot(seed, payload))).toEqual({
      type: "valid",
      generation: seed,
      payload: payload.text,
    });
  }
});

test("typed text of every kind survives, and the slot stays printable ASCII", () => {
  const texts = [
    '"quoted" \\ back',
    "−0,5 ½ 半分",
    "tab\tline\nnull\0del\x7f",
    "lone \ud800",
    "😀",
  ];
  const storage = new MemoryStorage();
  const log = openLog(storage);
  for (const text of texts) log.record(answer(0), detail(text));
  expect([...openLog(storage).answers().values()].map(({ text }) => text)).toEqual(texts);
  expect(storage.texts.get(slotKeys[0])).toMatch(/^[\n -~]+$/);
});

test("whatever bit of a slot flips, an earlier or the current state is found", slow, () => {
  const storage = storageWith(3);
  const ids = [...savedIds(storage)].sort();
  for (const key of slotKeys) {
    const text = storage.texts.get(key) as string;
    for (let at = 0; at < text.length; ++at) {
      for (let bit = 1; bit < 256; bit <<= 1) {
        const letter = String.fromCharCode(text.charCodeAt(at) ^ bit);
        const flipped = damaged(storage, key, text.slice(0, at) + letter + text.slice(at + 1));
        expectEarlierState(flipped, ids, `${key}, letter ${at}, bit ${bit}`);
      }
    }
  }
});

test("wherever a slot is cut, an earlier or the current state is found", slow, () => {
  const storage = storageWith(3);
  const ids = [...savedIds(storage)].sort();
  for (const key of slotKeys) {
    const text = storage.texts.get(key) as string;
    for (let length = 0; length < text.length; ++length) {
      expectEarlierState(damaged(storage, key, text.slice(0, length)), ids, `${key}, ${length}`);
      expectEarlierState(damaged(storage, key, text.slice(length + 1)), ids, `${key}, -${length}`);
    }
  }
});

/** At least all events but the last are there, none is invented, and the next answer is saved. */
function expectEarlierState(storage: MemoryStorage, ids: string[], where: string): void {
  const log = openLog(storage);
  const found = log.list().map(({ id }) => id);
  const whole = found.length === ids.length || found.length === ids.length - 1;
  if (!whole || found.some((id, index) => id !== ids[index])) expect.fail(`${where}: ${found}`);
  if (log.mode.type !== "saved") expect.fail(`${where}: ${JSON.stringify(log.mode)}`);
  const report = log.record(answer(9));
  if (report.type !== "recorded" || !report.saved) expect.fail(`${where}: not saved`);
  if (savedIds(storage).size !== found.length + 1) expect.fail(`${where}: the answer is missing`);
}

test("unreadable text in both slots is set aside before anything takes its place", () => {
  for (const text of [
    "",
    "undefined",
    "null",
    "{}",
    "[]",
    "0",
    '{"events":[',
    "\ud800",
    " ".repeat(99),
  ]) {
    const storage = new MemoryStorage(
      new Map([
        [slotKeys[0], text],
        [slotKeys[1], `${text}!`],
      ]),
    );
    const log = openLog(storage);
    expect(log.list()).toEqual([]);
    expect(log.damages).toEqual([
      { text, setAside: true },
      { text: `${text}!`, setAside: true },
    ]);
    log.record(answer(0));
    log.record(answer(1));
    expect(log.damages).toEqual([]);
    expect([...storage.texts.values()]).toEqual(expect.arrayContaining([text, `${text}!`]));
    expect(savedIds(storage).size).toBe(2);
  }
});

test("unreadable text that cannot be set aside is not overwritten", () => {
  const storage = new MemoryStorage(
    new Map([
      [slotKeys[0], "a"],
      [slotKeys[1], "b"],
    ]),
  );
  for (const name of ["x", "y", "z"]) storage.texts.set(`${prefix}aside-${name}`, name);
  const log = openLog(storage);
  expect(log.record(answer(0))).toMatchObject({ saved: false });
  expect(log.mode).toEqual({ type: "memory", unsaved: 1 });
  expect(log.damages).toEqual([
    { text: "a", setAside: false },
    { text: "b", setAside: false },
  ]);
  expect(slotKeys.map((key) => storage.texts.get(key))).toEqual(["a", "b"]);
});

test("a whole slot with impossible content counts as unreadable", () => {
  const names = '"0000000000000001","a-skill","a-question","correct"';
  const good = `[${names},[0,1,1,2,1,1799064000000,60,20822,3,3,0,2,0]]\n[]`;
  expect(readPayload(good)?.events.size).toBe(1);
  const bad = [
    "",
    "[]",
    "[]\n",
    "[]\n[]\n[]",
    "{}\n[]",
    "[]\n{}",
    "null\nnull",
    "[7]\n[]",
    "[null]\n[]",
    "[{}]\n[]",
    "[[]]\n[]",
    "[]\n[[]]",
    "[]\n[null]",
    good.replace("[0,1,", "[7,1,"), // no such name
    good.replace("[0,1,", '["length",1,'),
    good.replace("[0,1,", "[0,0,"), // counts begin at 1
    good.replace("[0,1,", '[0,{"toString":1,"valueOf":1},'),
    good.replace('"0000000000000001"', '{"toString":1,"valueOf":1}'),
    good.replace("1799064000000", "1799064000000.5"),
    good.replace("1799064000000", "-1"),
    good.replace("1799064000000", "1e400"),
    good.replace("20822", "20829"), // not the day of that time
    good.replace("20822,3", "20822,5"), // ratings are 1 to 4
    good.replace("20822,3", "20822,0"),
    good.replace('"a-skill"', '"constructor"'),
    good.replace('"a-skill"', '"__proto__"'),
    good.replace('"a-skill"', '"A skill"'),
    good.replace('"a-question"', '"a/b/c"'),
    "[".repeat(1_000_000),
  ];
  for (const text of bad) expect(readPayload(text), text.slice(0, 120)).toBeNull();
  const storage = new MemoryStorage(new Map([[slotKeys[0], sealSlot(1, payloadOf("[]"))]]));
  expect(openLog(storage).damages).toMatchObject([{ setAside: true }]);
});

test("a payload that another one begins with is not decoded twice, and one that differs is", () => {
  const writer = new PayloadWriter();
  const other = new PayloadWriter();
  const event = (index: number) => ({ id: `00000000000000ab-${index + 1}`, ...answer(index) });
  writer.add(event(0));
  const one = writer.payload([]).text;
  for (const added of [writer, other]) added.add(event(1));
  expect(readPayload(one, writer.payload([]).text)?.events.size).toBe(0);
  expect(readPayload(one, other.payload([]).text)?.events.size).toBe(1);
  expect(readPayload(one, one)?.events.size).toBe(1);
  expect(readPayload(`[]\n[]`, one)?.events.size).toBe(0);
});

test("a newer schema is recognised only where its slot is whole", () => {
  const newer = sealSlot(4, payloadOf("{}")).replace(
    "lockstep-progress 1 ",
    "lockstep-progress 2 ",
  );
  expect(openSlot(newer)).toEqual({ type: "damaged" });
  const crc = crc32("2 4 2", crc32("{}")).toString(16).padStart(8, "0");
  expect(openSlot(`lockstep-progress 2 4 ${crc} 2\n{}`)).toEqual({ type: "newer", schema: 2 });
});

test("slots of schema 1, as first released, are read", () => {
  const fixture = readFileSync(new URL("fixtures/schema-1.txt", import.meta.url), "ascii");
  const log = openLog(new MemoryStorage(new Map([[slotKeys[1], fixture]])));
  expect(log.mode).toEqual({ type: "saved", events: 3 });
  expect(log.list()[1]).toEqual({
    id: "00c0ffee00c0ffee-2",
    skill: "pipeline-bubble",
    question: "using-many-devices/bubble-fraction",
    revision: 2,
    ms: 1_796_731_260_000,
    offset_min: -480,
    day: 20_795,
    rating: 1,
    verdict: "incorrect",
    hints: 3,
    confidence: 1,
    flags: 4,
  });
  expect(log.answers().get("00c0ffee00c0ffee-3")).toEqual({
    id: "00c0ffee00c0ffee-3",
    ms: 1_796_817_600_000,
    text: '−0,5 "x"',
    locale: "de",
    seed: 4_294_967_295,
    numbers: [
      ["stages", "4"],
      ["bubble", "3/11"],
    ],
    code: "mistake:over-ideal",
    hash: "0123456789abcdef",
  });
});
