// One answer as the log keeps it, and the limits that every event has to keep, whether it was made
// here, read from storage or imported. Stars are not in it: the engine replays the events.

/** An answer, its fields in the order of the compact form (payload.ts). */
export interface ProgressEvent {
  /** `<writer>-<n>`: 64 random bits of a page load in hexadecimal, and a count from 1. */
  readonly id: string;
  readonly skill: string;
  /** Unique on the site: `question` or `lesson/question`. */
  readonly question: string;
  /** Of the question, as its file states it. */
  readonly revision: number;
  /** UTC milliseconds since 1970. */
  readonly ms: number;
  /** Local time minus UTC at that instant. */
  readonly offset_min: number;
  /** The learning day (engine/lesson/learning_day.h), never computed anew. */
  readonly day: number;
  /** 1 again, 2 hard, 3 good, 4 easy; null where the answer does not rate the skill. */
  readonly rating: number | null;
  /** The kind of verdict: "correct", "needs_precision" … */
  readonly verdict: string;
  /** How many hints were open. */
  readonly hints: number;
  /** 0 not asked, 1 a guess, 2 think so, 3 sure. */
  readonly confidence: number;
  /** Bits that the engine gives a meaning. */
  readonly flags: number;
}

/** What is needed to show or re-grade an answer; kept for the newest answers only. */
export interface AnswerDetail {
  /** Of the event. */
  readonly id: string;
  /** Of the event. */
  readonly ms: number;
  /** As typed; null where it is longer than `detailTextMax`. */
  readonly text: string | null;
  /** A language tag: "en", "de-CH". */
  readonly locale: string;
  readonly seed: number;
  /** The drawn numbers, each as exact text: ["devices", "8"]. */
  readonly numbers: readonly (readonly [name: string, value: string])[];
  /** The verdict's code: "rounded_not_cut", "mistake:no-communication". */
  readonly code: string;
  /** Of the graded part of the question, 16 hexadecimal digits. */
  readonly hash: string;
}

/** Why something is refused: a place as in "events/3/day", and one plain sentence. */
export interface Fault {
  readonly where: string;
  readonly message: string;
}

/** Letters of a kept answer: a program of 100 lines; 200 of them fit beside the log. */
export const detailTextMax = 4000;
/** Drawn numbers of one variant; questions have at most a dozen. */
const numbersMax = 32;
/** The last day of the year 9999: what a date can be written as. */
const msMax = 253_402_300_799_999;
/** No place on earth is further from UTC than 14 hours; a day leaves room for history. */
const offsetMax_min = 1440;
const dayLength_ms = 86_400_000;
/** A learning day is at most a day of offset and the night's hours off the UTC day. */
const daySlack = 2;
/** `name` or `name/name`, each as an exercise file spells an id. */
const namePattern = /^[a-z](?:[a-z0-9-]{0,62}[a-z0-9])?(?:\/[a-z](?:[a-z0-9-]{0,62}[a-z0-9])?)?$/;
/** What JavaScript gives a meaning; no id may be called so. */
const reservedName = /(?:^|\/)(?:constructor|prototype)(?:\/|$)/;

type Check = (value: unknown) => string | null;

const isId: Check = (value) =>
  typeof value === "string" && /^[0-9a-f]{16}-[1-9]\d{0,8}$/.test(value)
    ? null
    : "16 hexadecimal digits, a hyphen and a count are expected";

const isName: Check = (value) =>
  typeof value === "string" && namePattern.test(value) && !reservedName.test(value)
    ? null
    : "a name of up to 64 small letters, digits and hyphens is expected";

function isWhole(least: number, most: number): Check {
  return (value) =>
    typeof value === "number" && Number.isSafeInteger(value) && value >= least && value <= most
      ? null
      : `a whole number from ${least} to ${most} is expected`;
}

function isText(pattern: RegExp, expected: string): Check {
  return (value) =>
    typeof value === "string" && pattern.test(value) ? null : `${expected} is expected`;
}

const isRating: Check = (value) =>
  value === null || isWhole(1, 4)(value) === null ? null : "null or 1, 2, 3 or 4 is expected";

const isDetailText: Check = (value) =>
  value === null || (typeof value === "string" && value.length <= detailTextMax)
    ? null
    : `null or a text of up to ${detailTextMax} letters is expected`;

const isNumbers: Check = (value) =>
  Array.isArray(value) && value.length <= numbersMax && value.every(isDrawnNumber)
    ? null
    : `up to ${numbersMax} pairs of a name and a number's text are expected`;

function isDrawnNumber(pair: unknown): boolean {
  return (
    Array.isArray(pair) &&
    pair.length === 2 &&
    isText(/^[a-z][a-z0-9_]{0,63}$/, "")(pair[0]) === null &&
    isText(/^[ -~]{1,64}$/, "")(pair[1]) === null
  );
}

const eventChecks = checksOf<ProgressEvent>({
  id: isId,
  skill: isName,
  question: isName,
  revision: isWhole(0, 1_000_000),
  ms: isWhole(0, msMax),
  offset_min: isWhole(-offsetMax_min, offsetMax_min),
  day: isWhole(-daySlack, msMax / dayLength_ms + daySlack),
  rating: isRating,
  verdict: isText(/^[a-z_]{1,32}$/, "a verdict's kind"),
  hints: isWhole(0, 100),
  confidence: isWhole(0, 3),
  flags: isWhole(0, 65_535),
});

const detailChecks = checksOf<AnswerDetail>({
  id: isId,
  ms: isWhole(0, msMax),
  text: isDetailText,
  locale: isText(/^[A-Za-z0-9-]{1,35}$/, "a language tag"),
  seed: isWhole(0, 4_294_967_295),
  numbers: isNumbers,
  code: isText(/^[a-z0-9_:-]{1,100}$/, "a verdict's code"),
  hash: isText(/^[0-9a-f]{16}$/, "16 hexadecimal digits"),
});

/** What is wrong with `value` as an event, or null. `where` is the place of the value itself. */
export function eventFault(value: unknown, where: string): Fault | null {
  const fault = recordFault(value, eventChecks, where);
  if (fault) return fault;
  const event = value as ProgressEvent;
  return Math.abs(event.day - event.ms / dayLength_ms) <= daySlack
    ? null
    : { where: `${where}/day`, message: "the learning day is not that of the time beside it" };
}

/** What is wrong with `value` as an answer's details, or null. */
export function detailFault(value: unknown, where: string): Fault | null {
  return recordFault(value, detailChecks, where);
}

function checksOf<Item>(
  checks: { readonly [Field in keyof Item]: Check },
): ReadonlyMap<string, Check> {
  return new Map(Object.entries<Check>(checks));
}

/** The first fault of an object that must have exactly the fields of `checks`. */
function recordFault(
  value: unknown,
  checks: ReadonlyMap<string, Check>,
  where: string,
): Fault | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { where, message: "an object is expected" };
  }
  const fields = value as Readonly<Record<string, unknown>>;
  for (const [field, check] of checks) {
    const message = check(fields[field]);
    if (!message) continue;
    return Object.hasOwn(fields, field)
      ? { where: `${where}/${field}`, message }
      : { where, message: `the field ${field} is missing` };
  }
  const names = Object.keys(fields);
  if (names.length === checks.size) return null;
  const unknown = names.find((name) => !checks.has(name)) ?? "";
  return { where, message: `the field ${JSON.stringify(unknown.slice(0, 40))} is not known` };
}
