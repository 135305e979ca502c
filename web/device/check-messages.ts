// What a page and its check worker say to each other: one question, one answer.

import type { DeviceOutput } from "../engine/engine";
import type { Result } from "../engine/result";
import type { GradientReport, RunConfig } from "../engine/run";

/** Compare what the devices ended with, by rank, with a single device; answered by CheckAnswer. */
export interface CheckQuestion {
  readonly module: WebAssembly.Module;
  readonly config: RunConfig;
  readonly outputs: readonly DeviceOutput[];
}

export type CheckAnswer = Result<GradientReport>;
