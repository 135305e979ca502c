// What a page and its device workers say to each other. Devices among themselves only send the
// bytes of engine/device/message.h, over their own channels.

import type { DeviceOutput } from "../engine/engine";
import type { EngineError } from "../engine/result";
import type { DeviceCounters, RunConfig } from "../engine/run";

/** From the page to a worker. */
export type ToDevice =
  /**
   * Make your instance and your device; answered by `alive`, then `ready` or `failed`. Ports are
   * transferred.
   */
  | {
      readonly type: "prepare";
      readonly module: WebAssembly.Module;
      readonly config: RunConfig;
      readonly rank: number;
      /** The lock to hold while you live (life.ts). */
      readonly life: string;
      /** By rank; none at the device's own. */
      readonly peers: readonly (MessagePort | null)[];
    }
  /** Work through your program; answered by many `progress`, then `done` or `failed`. */
  | { readonly type: "run" };

/** From a worker to the page. */
export type FromDevice =
  /** `holdsLife`: whether the page can go by the lock; else it goes by the signs of life. */
  | { readonly type: "alive"; readonly holdsLife: boolean }
  | { readonly type: "ready" }
  /** Also the sign of life: sent at least every `signEvery_ms` while the device waits. */
  | { readonly type: "progress"; readonly instructions: number; readonly counters: DeviceCounters }
  | { readonly type: "done"; readonly result: DeviceDone }
  | { readonly type: "failed"; readonly error: EngineError };

/** How a device ends; its buffers are transferred. */
export interface DeviceDone {
  readonly counters: DeviceCounters;
  readonly output: DeviceOutput;
  /**
   * Measured milliseconds, three numbers an instruction in the order they ran: index, start, end.
   * The zero of time is the same for all devices (the Unix epoch by this machine's clock).
   */
  readonly spans: Float64Array<ArrayBuffer>;
}

/** How often a worker gives a sign of life, by its own clock. */
export const signEvery_ms = 200;
