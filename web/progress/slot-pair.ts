// The two slots in storage: the older one is written, so a torn or lost write leaves the other.
// Nothing is written after a failed read, over a newer build's slot, or over text that could
// neither be read nor be set aside.

import { crc32 } from "./crc32";
import { attempt, isQuotaError, type TextStorage } from "./environment";
import { mergeProgress, noProgress, type Progress } from "./merge";
import { readPayload } from "./payload";
import { hex8, openSlot, type Payload, payloadOf, type Slot, sealSlot } from "./slot";

/** Unreadable texts kept at most: more would crowd out the progress itself. */
const asideMax = 3;

/** What a look at the slots gave. */
export type SlotsRead =
  | { readonly type: "unchanged" }
  /**
   * The union of the slots. A slot that was there and is gone has been `erased`, by the learner in
   * another tab or by the browser: nothing else removes one.
   */
  | { readonly type: "read"; readonly progress: Progress; readonly erased: boolean }
  | { readonly type: "blocked" };

export type SlotWritten = "written" | "full" | "blocked";

/** Text in a slot that cannot be read. */
export interface Damage {
  readonly text: string;
  /** Whether a copy of it stands under a key of its own. */
  readonly setAside: boolean;
}

interface SlotView {
  readonly key: string;
  /** As last read or written; undefined where it has to be read first. */
  readonly text: string | null | undefined;
  readonly type: Slot["type"];
  /** Of a valid slot, else 0. */
  readonly generation: number;
  /** Of a newer build's slot, else 0. */
  readonly schema: number;
  /** Whether damaged text has been copied to a key of its own. */
  readonly setAside: boolean;
}

export class SlotPair {
  private views: readonly SlotView[];

  constructor(
    private readonly storage: TextStorage,
    private readonly prefix: string,
  ) {
    this.views = [0, 1].map((index) => unread(`${prefix}slot-${index}`));
  }

  has(key: string): boolean {
    return this.views.some((view) => view.key === key);
  }

  /** Whether there was nothing at all when the slots were last read or written. */
  get empty(): boolean {
    return this.views.every((view) => view.type === "absent");
  }

  /** Whether progress stood in a slot when it was last read or written. */
  get holdsProgress(): boolean {
    return this.views.some((view) => view.type === "valid");
  }

  /** The schema of a newer build's slot, or null. */
  get newerSchema(): number | null {
    return Math.max(...this.views.map((view) => view.schema)) || null;
  }

  get damages(): readonly Damage[] {
    return this.views.flatMap(({ type, text, setAside }) =>
      type === "damaged" && typeof text === "string" ? [{ text, setAside }] : [],
    );
  }

  /** Whether reading the slot `key` gives `text`. */
  shows(key: string, text: string): boolean {
    const read = attempt(() => this.storage.read(key));
    return "value" in read && read.value === text;
  }

  /** Reads both slots; where neither changed, nothing is decoded. */
  read(): SlotsRead {
    const texts = attempt(() => this.views.map((view) => this.storage.read(view.key)));
    if ("thrown" in texts) return { type: "blocked" };
    if (this.views.every((view, index) => view.text === texts.value[index])) {
      return { type: "unchanged" };
    }
    const before = this.views;
    this.views = before.map((view, index) => lookAgain(view, texts.value[index] ?? null));
    const progress = this.decode();
    if (this.newerSchema === null) {
      this.views = this.views.map((view) => ({ ...view, setAside: this.setAside(view) }));
    }
    const erased = before.some((view, index) => view.text && !texts.value[index]);
    return { type: "read", progress, erased };
  }

  /** Writes the older slot and reads it back. Only after a `read` that was not blocked. */
  write(payload: Payload): SlotWritten {
    const target = this.target();
    if (!target) return "full";
    const generation = 1 + Math.max(...this.views.map((view) => view.generation));
    const text = sealSlot(generation, payload);
    this.replace({ ...target, text: undefined }); // whatever happens now, look again
    const written = attempt(() => this.storage.write(target.key, text));
    if ("thrown" in written) return isQuotaError(written.thrown) ? "full" : "blocked";
    const found = attempt(() => this.storage.read(target.key));
    if ("thrown" in found || found.value !== text) return "blocked";
    this.replace({ ...unread(target.key), text, type: "valid", generation });
    return "written";
  }

  /** Whether storage takes and gives back a text, tried without touching a slot. */
  probe(): SlotWritten {
    const key = `${this.prefix}probe`;
    const tried = attempt(() => {
      this.storage.write(key, "1");
      const kept = this.storage.read(key) === "1";
      this.storage.remove(key);
      return kept;
    });
    if ("thrown" in tried) return isQuotaError(tried.thrown) ? "full" : "blocked";
    return tried.value ? "written" : "blocked";
  }

  /** The union of the valid slots. */
  private decode(): Progress {
    const found: Progress[] = [];
    let newer = "";
    for (const view of [...this.views].sort((one, other) => other.generation - one.generation)) {
      if (view.type !== "valid" || typeof view.text !== "string") continue;
      const payload = payloadOf(view.text);
      const progress = readPayload(payload, newer);
      if (progress) found.push(progress);
      else this.replace({ ...view, type: "damaged", generation: 0 });
      newer ||= payload;
    }
    return found.reduce(mergeProgress, noProgress());
  }

  /** An empty slot, else one that is set aside, else the older one. */
  private target(): SlotView | undefined {
    return this.views
      .filter((view) => view.type !== "damaged" || view.setAside || this.holdsProgress)
      .sort((one, other) => rank(one) - rank(other))[0];
  }

  private replace(changed: SlotView): void {
    this.views = this.views.map((view) => (view.key === changed.key ? changed : view));
  }

  /** Copies damaged text to a key named by its content; whether it stands there now. */
  private setAside({ type, text }: SlotView): boolean {
    if (type !== "damaged" || typeof text !== "string") return false;
    const start = `${this.prefix}aside-`;
    const kept = attempt(() => {
      const key = start + hex8(crc32(text));
      const copies = this.storage.keys().filter((name) => name.startsWith(start));
      if (!copies.includes(key) && copies.length < asideMax) this.storage.write(key, text);
      return this.storage.read(key) === text;
    });
    return "value" in kept && kept.value;
  }
}

function rank(view: SlotView): number {
  return view.type === "absent" ? -2 : view.type === "damaged" ? -1 : view.generation;
}

function unread(key: string): SlotView {
  return { key, text: undefined, type: "absent", generation: 0, schema: 0, setAside: false };
}

function lookAgain(view: SlotView, text: string | null): SlotView {
  if (view.text === text) return view;
  const changed = { ...unread(view.key), text };
  const slot = openSlot(text);
  if (slot.type === "valid") return { ...changed, type: "valid", generation: slot.generation };
  if (slot.type === "newer") return { ...changed, type: "newer", schema: slot.schema };
  return { ...changed, type: slot.type };
}
