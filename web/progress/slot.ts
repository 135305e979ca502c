// The text of one slot: a line that says what follows and proves it whole, then the payload.
//
//   lockstep-progress <schema> <generation> <crc32> <length>
//   <payload: printable ASCII and line ends>
//
// This line stays the same in every schema, so that an older build recognises a newer one's slot.

import { crc32 } from "./crc32";

/** The schema that this build writes. */
export const schema = 1;

const magic = "lockstep-progress";
/** Letters of the first line: the magic word and four numbers. */
const lineLengthMax = 80;

/** A payload on its way into a slot, with its checksum. */
export interface Payload {
  readonly text: string;
  readonly crc: number;
}

/** What a slot's text turns out to be. */
export type Slot =
  | { readonly type: "absent" }
  | { readonly type: "valid"; readonly generation: number; readonly payload: string }
  /** Whole, and written by a build that knows more. */
  | { readonly type: "newer"; readonly schema: number }
  | { readonly type: "damaged" };

/** The text of a slot. The checksum covers the payload, then the other numbers of the line. */
export function sealSlot(generation: number, payload: Payload): string {
  const length = payload.text.length;
  const crc = crc32(numbers(schema, generation, length), payload.crc);
  return `${magic} ${schema} ${generation} ${hex8(crc)} ${length}\n${payload.text}`;
}

/** Reads a slot's text, whatever it holds. */
export function openSlot(text: string | null): Slot {
  if (text === null) return { type: "absent" };
  const end = text.slice(0, lineLengthMax).indexOf("\n");
  const line = /^([a-z-]+) ([1-9]\d{0,5}) ([1-9]\d{0,14}) ([0-9a-f]{8}) (\d{1,9})$/.exec(
    text.slice(0, Math.max(end, 0)),
  );
  if (!line || line[1] !== magic) return { type: "damaged" };
  const [written, generation, length] = [Number(line[2]), Number(line[3]), Number(line[5])];
  const payload = payloadOf(text);
  if (payload.length !== length || !/^[ -~\n]*$/.test(payload)) return { type: "damaged" };
  const crc = crc32(numbers(written, generation, length), crc32(payload));
  if (hex8(crc) !== line[4]) return { type: "damaged" };
  if (written > schema) return { type: "newer", schema: written };
  return { type: "valid", generation, payload };
}

/** What follows the first line. */
export function payloadOf(text: string): string {
  return text.slice(text.indexOf("\n") + 1);
}

/** A checksum as 8 hexadecimal digits. */
export function hex8(crc: number): string {
  return crc.toString(16).padStart(8, "0");
}

function numbers(schema: number, generation: number, length: number): string {
  return `${schema} ${generation} ${length}`;
}
