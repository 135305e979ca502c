// An experiment: a run on workers, then its gradient compared with a single device's.

import type { Engine } from "../engine/engine";
import type { EngineError } from "../engine/result";
import type { GradientReport, RunConfig, RunDescription } from "../engine/run";
import { checkOnWorker } from "./check";
import { type DeviceProgress, runOnWorkers } from "./cluster";
import type { DeviceDone } from "./messages";

export interface Experiment {
  readonly engine: Engine;
  readonly module: WebAssembly.Module;
  readonly config: RunConfig;
  /** Ends the experiment at once, as `cancelled`. */
  readonly signal: AbortSignal;
  /** Called once before the devices start. */
  readonly onPlanned: (run: RunDescription) => void;
  readonly onProgress: (progress: DeviceProgress) => void;
  /** Called once all devices are done, before their gradient is compared. */
  readonly onRan: (devices: readonly DeviceDone[]) => void;
}

export type ExperimentOutcome =
  | { readonly type: "done"; readonly report: GradientReport }
  | { readonly type: "failed"; readonly error: EngineError }
  | { readonly type: "cancelled" };

/** Runs an experiment to its end; whichever it is, no worker is left. */
export async function runExperiment(experiment: Experiment): Promise<ExperimentOutcome> {
  const { engine, module, config, signal, onProgress } = experiment;
  const planned = engine.describeRun(config);
  if (planned.type === "error") return { type: "failed", error: planned.error };
  experiment.onPlanned(planned.value);
  const devices = planned.value.devices.length;
  const run = await runOnWorkers({ module, config, devices, signal, onProgress });
  if (run.type !== "done") return run;
  experiment.onRan(run.devices);
  const outputs = run.devices.map(({ output }) => output);
  const checked = await checkOnWorker({ module, config, outputs }, signal);
  if (!checked) return { type: "cancelled" };
  if (checked.type === "error") return { type: "failed", error: checked.error };
  return { type: "done", report: checked.value };
}
