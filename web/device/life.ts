// How a page notices that a worker is gone. A browser tells nobody when it ends a worker, but it
// frees the worker's locks: so each worker holds one, and the page stands in line for it.
//
// Web Locks are missing on plain http (but for localhost) and in sandboxed frames. There no worker
// holds one, and the page goes by silence instead.

/** A name for the lock of one worker, like no other. */
export function newLife(worker: string): string {
  return `lockstep ${worker} ${crypto.getRandomValues(new Uint32Array(4)).join("-")}`;
}

/** Holds the lock `name` as long as this worker lives; false where there are no locks. */
export async function holdLife(name: string): Promise<boolean> {
  const locks = lockManager();
  if (!locks) return false;
  return new Promise((resolve) => {
    const hold = () => {
      resolve(true);
      return new Promise<never>(() => {});
    };
    locks.request(name, hold).catch(() => resolve(false));
  });
}

/** Calls `onDeath` once the holder of the lock `name` is gone, unless `signal` is aborted first. */
export function awaitDeath(name: string, signal: AbortSignal, onDeath: () => void): void {
  // A request that was aborted is rejected, which is as it should be.
  lockManager()
    ?.request(name, { signal }, onDeath)
    .catch(() => {});
}

function lockManager(): LockManager | undefined {
  return typeof navigator === "object" ? navigator.locks : undefined;
}
