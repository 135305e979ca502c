// The exported file: everything that is known of a learner, one readable JSON text with one event a
// line. Its name, its line ends and a byte order mark do not matter when it comes back.

import {
  type AnswerDetail,
  detailFault,
  eventFault,
  type Fault,
  type ProgressEvent,
} from "./event";
import { addLater, inTimeOrder, newest, type Progress } from "./merge";
import { parseJson } from "./payload";
import { schema } from "./slot";

const format = "lockstep progress";
/** Letters of an import: a file of 100,000 events has 25 million. */
const textMax = 50_000_000;
/** Faults told of one file; who has more reads the file. */
const faultsMax = 20;

export type ExportRead =
  | { readonly type: "unreadable"; readonly fault: Fault }
  | {
      readonly type: "read";
      readonly progress: Progress;
      /** Events and details that are not taken in. */
      readonly refused: number;
      /** The first of the reasons. */
      readonly faults: readonly Fault[];
    };

export interface ExportHead {
  readonly site: string;
  /** When it is exported. */
  readonly ms: number;
}

/** The file's text, events and details by time. */
export function writeExport(progress: Progress, head: ExportHead): string {
  const fields = [
    `"format": ${JSON.stringify(format)}`,
    `"schema": ${schema}`,
    `"site": ${JSON.stringify(head.site)}`,
    `"exported": ${JSON.stringify(new Date(head.ms).toISOString())}`,
    `"events": ${lines(progress.events)}`,
    `"answers": ${lines(progress.details)}`,
  ];
  return `{\n${fields.join(",\n")}\n}\n`;
}

/** Reads a file's text and checks every event in it by itself. */
export function readExport(text: string): ExportRead {
  if (text.length > textMax) return unreadable("", `the file has more than ${textMax} letters`);
  const file = parseJson(text.replace(/^\uFEFF/, ""));
  if (typeof file !== "object" || file === null) return unreadable("", "this is no JSON object");
  const fields = file as Readonly<Record<string, unknown>>;
  if (fields.format !== format) return unreadable("format", "this is no exported progress");
  const written = fields.schema;
  if (typeof written !== "number" || !Number.isInteger(written) || written < 1) {
    return unreadable("schema", "a whole number from 1 is expected");
  }
  if (written > schema) {
    return unreadable("schema", "a newer version of this site wrote the file: reload the page");
  }
  const { events, answers } = fields;
  if (!Array.isArray(events)) return unreadable("events", "a list is expected");
  if (!Array.isArray(answers)) return unreadable("answers", "a list is expected");
  const faults: Fault[] = [];
  const progress = {
    events: collect<ProgressEvent>(events, "events", eventFault, faults),
    details: newest(collect<AnswerDetail>(answers, "answers", detailFault, faults)),
  };
  return { type: "read", progress, refused: faults.length, faults: faults.slice(0, faultsMax) };
}

function lines(items: ReadonlyMap<string, { id: string; ms: number }>): string {
  const rows = [...items.values()].sort(inTimeOrder).map((item) => `\n  ${JSON.stringify(item)}`);
  return rows.length === 0 ? "[]" : `[${rows.join(",")}\n]`;
}

/** The items without a fault, by id; the faults of the others go to `faults`. */
function collect<Item extends { id: string; ms: number }>(
  items: readonly unknown[],
  where: string,
  faultOf: (item: unknown, where: string) => Fault | null,
  faults: Fault[],
): Map<string, Item> {
  const good = new Map<string, Item>();
  for (const [index, item] of items.entries()) {
    const fault = faultOf(item, `${where}/${index}`);
    if (fault) faults.push(fault);
    else addLater(good, item as Item);
  }
  return good;
}

function unreadable(where: string, message: string): ExportRead {
  return { type: "unreadable", fault: { where, message } };
}
