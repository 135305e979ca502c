// Progress in its compact form, about 55 bytes an event:
//
//   {"events":[[writer,n,skill,question,revision,ms,offset_min,day,rating,verdict,hints,
//               confidence,flags],…],"names":["…",…],"details":[[id,ms,text,locale,seed,
//               numbers,code,hash],…]}
//
// where writer, skill, question and verdict are places in `names`.

import { crc32 } from "./crc32";
import { type AnswerDetail, detailFault, eventFault, type ProgressEvent } from "./event";
import { addLater, newest, type Progress } from "./merge";
import type { Payload } from "./slot";

/** Events of a payload: far more than a browser's storage holds. */
const eventsMax = 200_000;

/**
 * Writes events one by one and keeps what it wrote with its checksum: saving one more answer does
 * not encode all earlier ones again.
 */
export class PayloadWriter {
  private rows = "";
  private rowsCrc = crc32('{"events":[');
  private readonly names: string[] = [];
  private readonly places = new Map<string, number>();

  add(event: ProgressEvent): void {
    const [writer = "", n] = event.id.split("-");
    const row = [
      this.place(writer),
      Number(n),
      this.place(event.skill),
      this.place(event.question),
      event.revision,
      event.ms,
      event.offset_min,
      event.day,
      event.rating,
      this.place(event.verdict),
      event.hints,
      event.confidence,
      event.flags,
    ];
    const text = (this.rows === "" ? "" : ",") + JSON.stringify(row);
    this.rows += text;
    this.rowsCrc = crc32(text, this.rowsCrc);
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
    const tail = `],"names":${asciiJson(this.names)},"details":${asciiJson(rows)}}`;
    return { text: `{"events":[${this.rows}${tail}`, crc: crc32(tail, this.rowsCrc) };
  }

  private place(name: string): number {
    const known = this.places.get(name);
    if (known !== undefined) return known;
    this.places.set(name, this.names.length);
    return this.names.push(name) - 1;
  }
}

/** Reads a payload; null where anything in it is not as it is written here. */
export function readPayload(text: string): Progress | null {
  const value = parseJson(text);
  if (typeof value !== "object" || value === null) return null;
  const { events, names, details, ...rest } = value as Readonly<Record<string, unknown>>;
  if (!isList(events) || !isList(names) || !isList(details)) return null;
  if (events.length > eventsMax || Object.keys(rest).length > 0) return null;
  const readEvents = collect(events, (row) => readEvent(row, names));
  const readDetails = collect(details, readDetail);
  return readEvents && readDetails && { events: readEvents, details: newest(readDetails) };
}

function readEvent(row: unknown, names: readonly unknown[]): ProgressEvent | null {
  if (!isList(row) || row.length !== 13) return null;
  const name = (place: number) => names[row[place] as number];
  const [writer, n] = [name(0), row[1]];
  if (typeof writer !== "string" || typeof n !== "number") return null;
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

function readDetail(row: unknown): AnswerDetail | null {
  if (!isList(row) || row.length !== 8) return null;
  const [id, ms, text, locale, seed, numbers, code, hash] = row;
  const detail = { id, ms, text, locale, seed, numbers, code, hash };
  return detailFault(detail, "") ? null : (detail as AnswerDetail);
}

/** What `read` makes of every row, by id; null where it cannot read one. */
function collect<Item extends { id: string; ms: number }>(
  rows: readonly unknown[],
  read: (row: unknown) => Item | null,
): Map<string, Item> | null {
  const items = new Map<string, Item>();
  for (const row of rows) {
    const item = read(row);
    if (!item) return null;
    addLater(items, item);
  }
  return items;
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
