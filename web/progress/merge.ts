// The one way in which two sets of progress come together: tabs, slots and imports all use it. It
// is a union, so it is commutative, associative and idempotent, and nothing can be overwritten.

import type { AnswerDetail, ProgressEvent } from "./event";

/** All that is known of a learner here, by the id of the event. */
export interface Progress {
  readonly events: ReadonlyMap<string, ProgressEvent>;
  /** Of the newest `detailsMax` answers. */
  readonly details: ReadonlyMap<string, AnswerDetail>;
}

/** Answers whose details are kept: a week of eager work, small beside the log. */
export const detailsMax = 200;

export function noProgress(): Progress {
  return { events: new Map(), details: new Map() };
}

/** The union of the events, and the newest details of both. */
export function mergeProgress(one: Progress, other: Progress): Progress {
  return {
    events: unite(one.events, other.events),
    details: mergeDetails(one.details, other.details),
  };
}

/** The newest `detailsMax` of both. */
export function mergeDetails(
  one: ReadonlyMap<string, AnswerDetail>,
  other: ReadonlyMap<string, AnswerDetail>,
): ReadonlyMap<string, AnswerDetail> {
  return newest(unite(one, other));
}

/** `details` without all but the newest. */
export function newest(details: ReadonlyMap<string, AnswerDetail>): Map<string, AnswerDetail> {
  const kept = [...details.values()].sort(inTimeOrder).slice(-detailsMax);
  return new Map(kept.map((detail) => [detail.id, detail]));
}

/** By time, then id: the order of every list of events. */
export function inTimeOrder(one: { ms: number; id: string }, other: { ms: number; id: string }) {
  return one.ms - other.ms || (one.id < other.id ? -1 : one.id > other.id ? 1 : 0);
}

/**
 * Of two different records under one id (a forged import: writers are random) the later one, so
 * that the choice does not depend on who merges first.
 */
export function later<Item extends { ms: number }>(one: Item, other: Item): Item {
  if (one.ms !== other.ms) return one.ms > other.ms ? one : other;
  if (isSame(one, other)) return one; // nearly always: the same record, read twice
  return fieldsText(one) > fieldsText(other) ? one : other;
}

/** Adds `item`, or keeps the later one where its id is taken. */
export function addLater<Item extends { id: string; ms: number }>(
  items: Map<string, Item>,
  item: Item,
): void {
  const other = items.get(item.id);
  if (!other || later(other, item) !== other) items.set(item.id, item);
}

function unite<Item extends { id: string; ms: number }>(
  one: ReadonlyMap<string, Item>,
  other: ReadonlyMap<string, Item>,
): Map<string, Item> {
  const all = new Map(one);
  for (const item of other.values()) addLater(all, item);
  return all;
}

function isSame(one: object, other: object): boolean {
  for (const field in one) {
    if (one[field as keyof object] !== other[field as keyof object]) return false;
  }
  return true;
}

/** The same text for the same fields, in whatever order an object has them. */
function fieldsText(item: object): string {
  return JSON.stringify(Object.entries(item).sort(([one], [other]) => (one < other ? -1 : 1)));
}
