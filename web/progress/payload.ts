// Progress in its compact form, about 50 bytes an event; two lines of JSON:
//
//   ["name",…,[writer,n,skill,question,revision,ms,offset_min,day,rating,verdict,hints,
//              confidence,flags],…]
//   [[id,ms,text,locale,seed,numbers,code,hash],…]
//
// where writer, skill, question and verdict are numbers of names, counted from 0 as they come. The
// first line only ever grows at its end; the second holds the details of the newest answers.

import { crc32 } from "./crc32";
import { type AnswerDetail, detailFault, eventFault, type ProgressEvent } from "./event";
import { addLater, newest, type Progress } from "./merge";
import type { Payload } from "./slot";

/**
 * Writes events one by one and keeps what it wrote with its checksum: saving one more answer does
 * not encode all earlier ones again.
 */
export class PayloadWriter {
  private line = "[";
  private lineCrc = crc32("[");
  private readonly names = new Map<string, number>();

  add(event: ProgressEvent): void {
    const [writer = "", n] = event.id.split("-");
    const row = [
      this.name(writer),
      Number(n),
      this.name(event.skill),
      this.name(event.question),
      event.revision,
      event.ms,
      event.offset_min,
      event.day,
      event.rating,
      this.name(event.verdict),
      event.hints,
      event.confidence,
      event.flags,
    ];
    this.append(row);
  }

  /** All events so far, with these details. */
  payload(details: Iterable<AnswerDetail>): Payload {
    const rows = Array.from(details, (detail) => [
      detail.id,
      detail.ms,
      detail.text,
      detail.locale,
      detail.seed,
      detail.numbers,
      detail.code,
      detail.hash,
    ]);
    const rest = `]\n${asciiJson(rows)}`;
    return { text: this.line + rest, crc: crc32(rest, this.lineCrc) };
  }

  private name(name: string): number {
    const known = this.names.get(name);
    if (known !== undefined) return known;
    this.append(name);
    this.names.set(name, this.names.size);
    return this.names.size - 1;
  }

  private append(item: unknown): void {
    const text = (this.line === "[" ? "" : ",") + asciiJson(item);
    this.line += text;
    this.lineCrc = crc32(text, this.lineCrc);
  }
}

/**
 * Reads a payload; null where anything in it is not as it is written here. Its events are left out
 * where `longer`, another payload, begins with all of them.
 */
export function readPayload(text: string, longer = ""): Progress | null {
  const [line = "", rest = "", ...more] = text.split("\n");
  const items = longer.startsWith(`${line.slice(0, -1)},`) ? [] : parseJson(line);
  const rows = parseJson(rest);
  if (!isList(items) || !isList(rows) || more.length > 0) return null;
  const events = readEvents(items);
  const details = readDetails(rows);
  return events && details && { events, details };
}

function readEvents(items: readonly unknown[]): Map<string, ProgressEvent> | null {
  const events = new Map<string, ProgressEvent>();
  const names: string[] = [];
  for (const item of items) {
    const event = isList(item) && readEvent(item, names);
    if (typeof item === "string") names.push(item);
    else if (event) addLater(events, event);
    else return null;
  }
  return events;
}

function readEvent(row: readonly unknown[], names: readonly string[]): ProgressEvent | null {
  const name = (place: number) => names[row[place] as number];
  const [writer, n] = [name(0), row[1]];
  if (row.length !== 13 || typeof writer !== "string" || typeof n !== "number") return null;
  const event = {
    id: `${writer}-${n}`,
    skill: name(2),
    question: name(3),
    revision: row[4],
    ms: row[5],
    offset_min: row[6],
    day: row[7],
    rating: row[8],
    verdict: name(9),
    hints: row[10],
    confidence: row[11],
    flags: row[12],
  };
  return eventFault(event, "") ? null : (event as ProgressEvent);
}

function readDetails(rows: readonly unknown[]): Map<string, AnswerDetail> | null {
  const details = new Map<string, AnswerDetail>();
  for (const row of rows) {
    if (!isList(row) || row.length !== 8) return null;
    const [id, ms, text, locale, seed, numbers, code, hash] = row;
    const detail = { id, ms, text, locale, seed, numbers, code, hash };
    if (detailFault(detail, "")) return null;
    addLater(details, detail as AnswerDetail);
  }
  return newest(details);
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** The value of a JSON text; undefined where it is none or nested beyond the stack. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[^ -~]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
