// When to remind of an export: browsers may remove what a site stores.

import { attempt, type Environment, keyPrefix } from "./environment";
import { parseJson } from "./payload";

/** A reminder is due after so many new events, or after so long where there is any. */
const eventsUntilDue = 20;
const timeUntilDue_ms = 7 * 86_400_000;

/** What is remembered of exports and of reminders put off. */
interface Note {
  /** Of the last export; null where there was none. */
  readonly exported_ms: number | null;
  /** When a reminder was last settled, by an export or by putting it off; null where never. */
  readonly settled_ms: number | null;
  /** How many events there were then. */
  readonly events: number;
}

/** What a reminder depends on: how many events there are, the first one's time, and now. */
export interface LogExtent {
  readonly events: number;
  readonly first_ms: number;
  readonly now_ms: number;
}

/** Remembers exports under a key of its own; where storage fails it reminds again. */
export class ExportReminder {
  private readonly key: string;

  constructor(
    private readonly environment: Environment,
    site: string,
  ) {
    this.key = `${keyPrefix(site)}exported`;
  }

  get lastExport_ms(): number | null {
    return this.note().exported_ms;
  }

  isDue({ events, first_ms, now_ms }: LogExtent): boolean {
    const note = this.note();
    const fresh = events - note.events;
    return (
      fresh >= eventsUntilDue ||
      (fresh > 0 && now_ms - (note.settled_ms ?? first_ms) >= timeUntilDue_ms)
    );
  }

  /** The learner has exported. */
  exported({ events, now_ms }: LogExtent): void {
    this.keep({ exported_ms: now_ms, settled_ms: now_ms, events });
  }

  /** The learner has put the reminder away. */
  putOff({ events, now_ms }: LogExtent): void {
    this.keep({ exported_ms: this.note().exported_ms, settled_ms: now_ms, events });
  }

  private note(): Note {
    const read = attempt(() => this.environment.storage.read(this.key));
    const value = "value" in read && read.value !== null ? parseJson(read.value) : null;
    const fields = Array.isArray(value) && value.every(isCountOrNull) ? value : [];
    return {
      exported_ms: fields[0] ?? null,
      settled_ms: fields[1] ?? null,
      events: fields[2] ?? 0,
    };
  }

  private keep(note: Note): void {
    const text = JSON.stringify([note.exported_ms, note.settled_ms, note.events]);
    attempt(() => this.environment.storage.write(this.key, text));
  }
}

function isCountOrNull(value: unknown): value is number | null {
  return value === null || (typeof value === "number" && Number.isSafeInteger(value) && value >= 0);
}
