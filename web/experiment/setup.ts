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
  readonly data: number;
  readonly tensor: number;
  readonly steps: number;
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
  const setup = {
    devices: 1,
    weighted: false,
    schedule: "one_f_one_b",
    stages: 1,
    microbatches: 1,
    large: false,
    data: 1,
    tensor: 1,
    steps: 1,
  };
  switch (experiment.kind) {
    case "data_parallel_run":
      return { ...setup, devices: experiment.devices };
    case "pipeline_run": {
      const { stages, microbatches } = experiment;
      return { ...setup, schedule: nameOf(experiment.schedule), stages, microbatches };
    }
    case "product_run": {
      const { data, tensor, stages, microbatches, steps } = experiment;
      return { ...setup, data, tensor, stages, microbatches, steps };
    }
  }
}

/** Lessons may call a schedule as people do. */
function nameOf(schedule: string): string {
  return schedules.find(({ label }) => label === schedule)?.name ?? schedule;
}

/** What the engine is asked to run. */
export function configOf(experiment: Experiment, setup: Setup): RunConfig {
  const { seed } = experiment;
  if (experiment.kind === "product_run") {
    const { data, tensor, stages, microbatches, steps } = setup;
    const optimizer = "adam";
    return { strategy: "parallel_3d", seed, data, tensor, stages, microbatches, steps, optimizer };
  }
  const size = setup.large ? largeModels[experiment.kind] : {};
  if (experiment.kind === "data_parallel_run") {
    const { devices, weighted } = setup;
    return { strategy: "data_parallel", seed, rows: experiment.rows, ...size, devices, weighted };
  }
  const { schedule, stages, microbatches } = setup;
  return { strategy: "pipeline_parallel", seed, ...size, schedule, stages, microbatches };
}

/** The command that runs the same natively and ends with the same hash. */
export function commandOf({ strategy, seed, widths, rows, ...config }: RunConfig): string {
  const options = [`lockstep run --strategy ${strategy}`];
  if (strategy === "data_parallel") {
    options.push(`--devices ${config.devices}${config.weighted ? " --weighted" : ""}`);
  } else if (strategy === "parallel_3d") {
    options.push(`--data ${config.data} --tensor ${config.tensor} --stages ${config.stages}`);
    options.push(`--microbatches ${config.microbatches}`);
    options.push(`--optimizer ${config.optimizer} --steps ${config.steps}`);
  } else {
    options.push(`--schedule ${config.schedule} --stages ${config.stages}`);
    options.push(`--microbatches ${config.microbatches}`);
  }
  if (widths) options.push(`--widths ${widths.join(",")}`);
  options.push(`--rows ${rows} --seed ${seed}`);
  return options.join(" ");
}
