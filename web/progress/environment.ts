// What progress needs from outside, so that a test can make every call of it fail.

/** A store of texts, as localStorage is one. Every call may throw. */
export interface TextStorage {
  read(key: string): string | null;
  write(key: string, text: string): void;
  remove(key: string): void;
  keys(): readonly string[];
}

/** An instant and the local time minus UTC in it. */
export interface Moment {
  readonly ms: number;
  readonly offset_min: number;
}

export interface Environment {
  readonly storage: TextStorage;
  clock(): Moment;
  /** 64 random bits as 16 hexadecimal digits. */
  randomBits(): string;
  /** Does `work` while no other tab holds the lock `name`; null where there are no locks. */
  readonly lock: ((name: string, work: () => void) => Promise<void>) | null;
}

/** What every key of a site begins with. Another site's id never begins so: it ends with "/". */
export function keyPrefix(site: string): string {
  return `lockstep/${encodeURIComponent(site)}/`;
}

/** What `call` gives, or what it threw. */
export function attempt<Value>(
  call: () => Value,
): { readonly value: Value } | { readonly thrown: unknown } {
  try {
    return { value: call() };
  } catch (thrown) {
    return { thrown };
  }
}

/** Whether a write was refused for want of room (Chromium and WebKit; Firefox's older name). */
export function isQuotaError(thrown: unknown): boolean {
  const name = (thrown as { name?: unknown } | null)?.name;
  return name === "QuotaExceededError" || name === "NS_ERROR_DOM_QUOTA_REACHED";
}
