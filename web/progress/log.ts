// The log of a learner's answers, kept in this browser without an account.
//
// Memory holds the union of all that was seen; the slots hold copies of it. Tabs overwrite each
// other's slot at times: the `storage` event brings what was overwritten, and who misses something
// there writes again. So what was once saved is lost only if both tabs close within that moment.

import { attempt, type Environment, keyPrefix, type Moment } from "./environment";
import {
  type AnswerDetail,
  detailFault,
  eventFault,
  type Fault,
  type ProgressEvent,
} from "./event";
import { readExport, writeExport } from "./exchange";
import { inTimeOrder, later, mergeDetails, type Progress } from "./merge";
import { PayloadWriter, readPayload } from "./payload";
import { openSlot } from "./slot";
import { type Damage, SlotPair, type SlotWritten } from "./slot-pair";

/** Where answers are kept now. `unsaved` counts the answers that only this page knows. */
export type Mode =
  | { readonly type: "saved"; readonly events: number }
  /** Saved too, but apart for each site that frames this one. */
  | { readonly type: "partitioned"; readonly events: number }
  /** Storage takes nothing: kept until this page closes. */
  | { readonly type: "memory"; readonly unsaved: number }
  | { readonly type: "full"; readonly unsaved: number }
  /** A newer build wrote there: this one writes nothing. */
  | { readonly type: "newer"; readonly schema: number; readonly unsaved: number };

/** An answer before it has an id. */
export type Answer = Omit<ProgressEvent, "id">;
export type Detail = Omit<AnswerDetail, "id" | "ms">;

export type RecordReport =
  | { readonly type: "recorded"; readonly id: string; readonly saved: boolean }
  /** No possible answer: nothing changed. */
  | { readonly type: "refused"; readonly fault: Fault };

export type ImportReport =
  | {
      readonly type: "imported";
      readonly added: number;
      /** Events that were here already. */
      readonly known: number;
      /** Events and details that were left out, and the first reasons. */
      readonly refused: number;
      readonly faults: readonly Fault[];
      readonly saved: boolean;
    }
  /** No file of ours: nothing changed. */
  | { readonly type: "unreadable"; readonly fault: Fault };

export interface EraseReport {
  readonly removed: number;
  /** Keys that could not be removed; null where storage does not even tell. */
  readonly left: number | null;
}

export interface LogSettings {
  /** The site's id, part of every key. */
  readonly site: string;
  /** When this build was made: a clock that shows less is wrong. */
  readonly built_ms: number;
  /** Whether another site frames the page, so that the browser keeps its storage apart. */
  readonly partitioned: boolean;
  /** Called when something changed that no call of the page has reported. */
  readonly changed?: () => void;
}

type Trouble = "none" | "blocked" | "full" | "newer";

/** One page load's view of the log. A call that changes something saves before it returns. */
export class ProgressLog {
  private readonly writer: string;
  private readonly slots: SlotPair;
  private count = 0;
  private events = new Map<string, ProgressEvent>();
  private details: ReadonlyMap<string, AnswerDetail> = new Map();
  private encoded = new PayloadWriter();
  /** Ids of events that no slot holds. */
  private unsaved = new Set<string>();
  /** Whether memory holds anything that no slot holds. */
  private ahead = false;
  private trouble: Trouble = "none";

  /** Reads what is saved. Throws nothing: what fails shows in `mode`. */
  constructor(
    private readonly environment: Environment,
    private readonly settings: LogSettings,
  ) {
    this.writer = environment.randomBits();
    this.slots = new SlotPair(environment.storage, keyPrefix(settings.site));
    this.sync();
  }

  /** Every event, by time. */
  list(): readonly ProgressEvent[] {
    return [...this.events.values()].sort(inTimeOrder);
  }

  /** Details of the newest answers, by the id of the event. */
  answers(): ReadonlyMap<string, AnswerDetail> {
    return this.details;
  }

  get mode(): Mode {
    const unsaved = this.unsaved.size;
    const schema = this.slots.newerSchema;
    if (this.trouble === "newer" && schema) return { type: "newer", schema, unsaved };
    if (this.trouble === "full" && this.slots.holdsProgress) return { type: "full", unsaved };
    if (this.trouble !== "none") return { type: "memory", unsaved };
    return {
      type: this.settings.partitioned ? "partitioned" : "saved",
      events: this.events.size,
    };
  }

  /** What stands in the slots and cannot be read: to be told, and offered for download. */
  get damages(): readonly Damage[] {
    return this.slots.damages;
  }

  /**
   * The instant to record and replay with. A clock that shows a time before this build was made is
   * not believed: then it is the newest event's time, so that no days seem to pass.
   */
  moment(): Moment {
    const now = this.environment.clock();
    if (now.ms >= this.settings.built_ms) return now;
    let ms = this.settings.built_ms;
    for (const event of this.events.values()) ms = Math.max(ms, event.ms);
    return { ms, offset_min: now.offset_min };
  }

  /** Adds an answer and saves it; to be called before the feedback shows. */
  record(answer: Answer, detail?: Detail): RecordReport {
    const id = `${this.writer}-${this.count + 1}`;
    const event = { id, ...answer };
    const kept = detail && { id, ms: answer.ms, ...detail };
    const fault = eventFault(event, "event") ?? (kept ? detailFault(kept, "detail") : null);
    if (fault) return { type: "refused", fault };
    this.count += 1;
    this.take({ events: new Map([[id, event]]), details: new Map(kept ? [[id, kept]] : []) });
    this.sync();
    this.settle();
    return { type: "recorded", id, saved: !this.unsaved.has(id) };
  }

  /**
   * Reads what other tabs wrote, and writes what the slots miss. To be called when the page is
   * hidden, left or shown again.
   */
  sync(): void {
    const read = this.slots.read();
    if (read.type === "blocked") {
      this.trouble = "blocked";
      return;
    }
    if (read.type === "read") {
      if (read.erased) this.forgetSaved();
      this.takeStored(read.progress);
    }
    if (this.slots.newerSchema !== null) this.trouble = "newer";
    else if (this.ahead) this.write();
    else this.trouble = this.slots.empty ? troubleOf(this.slots.probe()) : "none";
  }

  /** Takes in a `storage` event: `text` is what another tab wrote under `key`, if it wrote. */
  storageChanged(key: string | null, text: string | null): void {
    if (key !== null && !this.slots.has(key)) return;
    if (key !== null && text !== null && !this.slots.shows(key, text)) {
      const overwritten = openSlot(text);
      const progress = overwritten.type === "valid" ? readPayload(overwritten.payload) : null;
      if (progress) this.take(progress);
    }
    this.sync();
    this.settings.changed?.();
  }

  /** Everything, as the text of one readable JSON file. */
  exportText(): string {
    return writeExport(this.progress(), { site: this.settings.site, ms: this.moment().ms });
  }

  /** Adds what an exported file holds. */
  importText(text: string): ImportReport {
    const read = readExport(text);
    if (read.type === "unreadable") return read;
    const before = this.events.size;
    this.take(read.progress);
    this.sync();
    this.settle();
    const added = this.events.size - before;
    return {
      type: "imported",
      added,
      known: read.progress.events.size - added,
      refused: read.refused,
      faults: read.faults,
      saved: this.unsaved.size === 0,
    };
  }

  /** Removes every key of this site, and what this page remembers. */
  erase(): EraseReport {
    const { storage } = this.environment;
    const prefix = keyPrefix(this.settings.site);
    const siteKeys = () => attempt(() => storage.keys().filter((key) => key.startsWith(prefix)));
    this.forget();
    const before = siteKeys();
    if ("value" in before) {
      for (const key of before.value) attempt(() => storage.remove(key));
    }
    const after = siteKeys();
    this.sync();
    if ("thrown" in before || "thrown" in after) return { removed: 0, left: null };
    return { removed: before.value.length - after.value.length, left: after.value.length };
  }

  /** Looks once more when no other tab writes, in case one wrote at the same time. */
  private settle(): void {
    const look = () => {
      const before = this.stateText();
      this.sync();
      if (this.stateText() !== before) this.settings.changed?.();
    };
    // Where locks are refused, as storage may be, the storage event has to do.
    this.environment.lock?.(`${keyPrefix(this.settings.site)}log`, look).catch(() => {});
  }

  private write(): void {
    const written = this.slots.write(this.encoded.payload(this.details.values()));
    this.trouble = troubleOf(written);
    if (written !== "written") return;
    this.unsaved.clear();
    this.ahead = false;
  }

  /** Adds to memory what it does not hold yet. */
  private take(progress: Progress): void {
    for (const [id, event] of progress.events) {
      const mine = this.events.get(id);
      if (mine && later(mine, event) === mine) continue;
      if (!mine) this.unsaved.add(id);
      this.events.set(id, event);
      this.encoded.add(event);
      this.ahead = true;
    }
    const details = mergeDetails(this.details, progress.details);
    if ([...details.keys()].some((id) => !this.details.has(id))) this.ahead = true;
    this.details = details;
  }

  /** The same for what the slots hold; then memory is ahead by what they do not. */
  private takeStored(stored: Progress): void {
    this.take(stored);
    this.unsaved = new Set([...this.events.keys()].filter((id) => !stored.events.has(id)));
    this.ahead =
      this.unsaved.size > 0 || [...this.details.keys()].some((id) => !stored.details.has(id));
  }

  /** Forgets all but what no slot ever held. */
  private forgetSaved(): void {
    const { events, details, unsaved } = this;
    this.forget();
    const kept = (id: string) => unsaved.has(id);
    this.take({
      events: new Map([...events].filter(([id]) => kept(id))),
      details: new Map([...details].filter(([id]) => kept(id))),
    });
  }

  private forget(): void {
    this.events = new Map();
    this.details = new Map();
    this.encoded = new PayloadWriter();
    this.unsaved = new Set();
    this.ahead = false;
  }

  private progress(): Progress {
    return { events: this.events, details: this.details };
  }

  private stateText(): string {
    return `${this.events.size} ${this.unsaved.size} ${this.trouble}`;
  }
}

function troubleOf(written: SlotWritten): Trouble {
  return written === "written" ? "none" : written;
}
