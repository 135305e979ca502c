// What a page and its check worker say to each other: one question, one answer.

import type { DeviceOutput } from "../engine/engine";
import type { Result } from "../engine/result";
import type { GradientReport, RunConfig } from "../engine/run";

/** Compare what the devices ended with, by rank, with a single device. */
export interface CheckQuestion {
  readonly module: WebAssembly.Module;
  readonly config: RunConfig;
  readonly outputs: readonly DeviceOutput[];
  /** The lock to hold while you live (life.ts). */
  readonly life: string;
}

/** From the worker to the page. */
export type FromCheck =
  /** The page can go by the lock from now on; not sent where there are no locks. */
  { readonly type: "alive" } | { readonly type: "answer"; readonly answer: Result<GradientReport> };
