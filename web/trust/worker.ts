// The one place that starts workers, so that all are counted and none outlives its page.

import { trustedScriptUrl } from "./script-url";

const liveWorkers = new Set<Worker>();

/**
 * Starts a module worker from a script of this site. End it with `stopWorker`; leaving the page
 * ends all.
 */
export function startWorker(address: string, name: string): Worker {
  const worker = new Worker(trustedScriptUrl(address), { type: "module", name });
  liveWorkers.add(worker);
  return worker;
}

/** Ends a worker at once, whatever it is doing. */
export function stopWorker(worker: Worker): void {
  worker.terminate();
  liveWorkers.delete(worker);
}

/** How many workers were started and not stopped. */
export function liveWorkerCount(): number {
  return liveWorkers.size;
}

if (typeof addEventListener === "function") {
  addEventListener("pagehide", () => {
    for (const worker of liveWorkers) stopWorker(worker);
  });
}
