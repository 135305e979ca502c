// Progress in a real browser: its storage, clock, randomness and locks, and the events of a page
// that mean "save now" or "another tab saved".

import type { Environment } from "./environment";
import type { ProgressLog } from "./log";

/**
 * The browser's own. Where storage is blocked, already reading `localStorage` throws: so it is read
 * anew in every call.
 */
export function browserEnvironment(window: Window & typeof globalThis): Environment {
  const { locks } = window.navigator as { locks?: LockManager };
  return {
    storage: {
      read: (key) => window.localStorage.getItem(key),
      write: (key, text) => window.localStorage.setItem(key, text),
      remove: (key) => window.localStorage.removeItem(key),
      keys: () => {
        const storage = window.localStorage;
        return Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? "");
      },
    },
    clock: () => {
      const now = new Date();
      return { ms: now.getTime(), offset_min: -now.getTimezoneOffset() };
    },
    randomBits: () =>
      Array.from(window.crypto.getRandomValues(new Uint8Array(8)), (byte) =>
        byte.toString(16).padStart(2, "0"),
      ).join(""),
    lock: locks ? async (name, work) => void (await locks.request(name, work)) : null,
  };
}

/** Whether a page of another origin frames this one: its storage is then kept apart, or blocked. */
export function isFramedByOthers(window: Window): boolean {
  try {
    for (let frame = window; frame !== frame.parent; frame = frame.parent) {
      if (frame.parent.location.host !== window.location.host) return true;
    }
    return false;
  } catch {
    return true; // reading a foreign address is what is forbidden
  }
}

/** The part of a page that `keepSaved` listens to. */
export interface PageEvents {
  readonly window: Pick<EventTarget, "addEventListener" | "removeEventListener">;
  readonly document: Pick<EventTarget, "addEventListener" | "removeEventListener"> & {
    readonly visibilityState: DocumentVisibilityState;
  };
}

/**
 * Saves when the page is hidden or left (`keepDrafts` first), and takes in what other tabs saved.
 * The last sign of life differs between browsers, so every one counts. Gives the way to stop.
 */
export function keepSaved(page: PageEvents, log: ProgressLog, keepDrafts: () => void): () => void {
  const leave = () => {
    keepDrafts();
    log.sync();
  };
  const listeners: readonly [PageEvents["window"], string, (event: Event) => void][] = [
    [page.window, "pagehide", leave],
    [page.window, "pageshow", () => log.sync()],
    [
      page.window,
      "storage",
      (event) => {
        const { key, newValue } = event as StorageEvent;
        log.storageChanged(key, newValue);
      },
    ],
    [
      page.document,
      "visibilitychange",
      () => {
        if (page.document.visibilityState === "hidden") leave();
        else log.sync();
      },
    ],
  ];
  for (const [target, name, listener] of listeners) target.addEventListener(name, listener);
  return () => {
    for (const [target, name, listener] of listeners) target.removeEventListener(name, listener);
  };
}
