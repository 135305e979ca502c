// What an experiment runs: the lesson's configuration, and what the learner changed of it.

import type { Experiment } from "../engine/lesson-page";
import type { RunConfig } from "../engine/run";

/** What can be chosen; each kind of experiment uses some of it. */
export interface Setup {
  readonly devices: number;
  readonly weighted: boolean;
  readonly schedule: string;
  readonly stages: number;
  readonly microbatches: number;
  /** A model whose work takes long enough for a browser's clock. */
  readonly large: boolean;
}

/** A device is a worker; more than these do not start reliably on a phone (engine/strategy). */
export const devicesMost = 16;
/** The engine's default pipeline has so many layers, and a stage at least one. */
export const stagesMost = 8;
/** What divides the rows of a batch, the engine's and the large one's. */
export const microbatchCounts: readonly number[] = [1, 2, 4, 8, 16];

/** A schedule with one stage a device: its name in the engine, and what people call it. */
export interface ScheduleChoice {
  readonly name: string;
  readonly label: string;
}

export const schedules: readonly ScheduleChoice[] = [
  { name: "gpipe", label: "GPipe" },
  { name: "one_f_one_b", label: "1F1B" },
  { name: "zb_h1", label: "ZB-H1" },
];

/**
 * Browsers' clocks tell a tenth of a millisecond (Chromium) or a whole one (Firefox, WebKit). With
 * these sizes most forwards and backwards of the lesson's own runs take longer than either.
 */
const largeModels = {
  data_parallel_run: { widths: [64, 128, 128, 16], rows: 1024 },
  pipeline_run: { widths: Array.from({ length: 9 }, () => 128), rows: 512 },
};

/** The lesson's own. */
export function setupOf(experiment: Experiment): Setup {
  const common = { weighted: false, large: false };
  return experiment.kind === "data_parallel_run"
    ? { ...common, devices: experiment.devices, schedule: "", stages: 1, microbatches: 1 }
    : {
        ...common,
        devices: experiment.stages,
        schedule: nameOf(experiment.schedule),
        stages: experiment.stages,
        microbatches: experiment.microbatches,
      };
}

/** Lessons may call a schedule as people do. */
function nameOf(schedule: string): string {
  return schedules.find(({ label }) => label === schedule)?.name ?? schedule;
}

/** What the engine is asked to run. */
export function configOf(experiment: Experiment, setup: Setup): RunConfig {
  const size = setup.large ? largeModels[experiment.kind] : {};
  const { seed } = experiment;
  if (experiment.kind === "data_parallel_run") {
    const { devices, weighted } = setup;
    return { strategy: "data_parallel", seed, rows: experiment.rows, ...size, devices, weighted };
  }
  const { schedule, stages, microbatches } = setup;
  return { strategy: "pipeline_parallel", seed, ...size, schedule, stages, microbatches };
}

/** The command that runs the same natively and ends with the same hash. */
export function commandOf({ strategy, seed, widths, rows, ...config }: RunConfig): string {
  const model = `--widths ${(widths ?? []).join(",")} --rows ${rows} --seed ${seed}`;
  const rest =
    strategy === "data_parallel"
      ? `--devices ${config.devices}${config.weighted ? " --weighted" : ""}`
      : `--schedule ${config.schedule} --stages ${config.stages} ` +
        `--microbatches ${config.microbatches}`;
  return `lockstep run --strategy ${strategy} ${rest} ${model}`;
}
