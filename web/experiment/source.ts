// The engine's own source of what an experiment ran, loaded when somebody wants to read it.

import type { RunConfig } from "../engine/run";

export interface SourceFile {
  readonly name: string;
  readonly text: string;
}

type Load = () => Promise<{ readonly default: string }>;
type Files = Readonly<Record<string, Load>>;

const dataParallel: Files = {
  "engine/strategy/data_parallel.cpp": () => import("../../engine/strategy/data_parallel.cpp?raw"),
  "engine/collective/ring.cpp": () => import("../../engine/collective/ring.cpp?raw"),
};

const pipeline: Files = {
  "engine/strategy/pipeline_parallel.cpp": () =>
    import("../../engine/strategy/pipeline_parallel.cpp?raw"),
  "engine/schedule/lower.cpp": () => import("../../engine/schedule/lower.cpp?raw"),
};

const product: Files = {
  "engine/strategy/parallel_3d.cpp": () => import("../../engine/strategy/parallel_3d.cpp?raw"),
  "engine/model/gpt_block.cpp": () => import("../../engine/model/gpt_block.cpp?raw"),
  "engine/model/optimizer.cpp": () => import("../../engine/model/optimizer.cpp?raw"),
};

/** By the schedule's name in the engine: the file that puts its work in order. */
const schedules: Readonly<Record<string, Files>> = {
  gpipe: { "engine/schedule/gpipe.cpp": () => import("../../engine/schedule/gpipe.cpp?raw") },
  one_f_one_b: {
    "engine/schedule/one_f_one_b.cpp": () => import("../../engine/schedule/one_f_one_b.cpp?raw"),
  },
  zb_h1: {
    "engine/schedule/interleaved_zero_bubble.cpp": () =>
      import("../../engine/schedule/interleaved_zero_bubble.cpp?raw"),
  },
};

function filesOf(strategy: RunConfig["strategy"], schedule: string | undefined): Files {
  if (strategy === "data_parallel") return dataParallel;
  if (strategy === "parallel_3d") return product;
  return { ...schedules[schedule ?? ""], ...pipeline };
}

/** The files behind a run. Rejected where one cannot be loaded. */
export function loadSource({ strategy, schedule }: RunConfig): Promise<readonly SourceFile[]> {
  const files = filesOf(strategy, schedule);
  return Promise.all(
    Object.entries(files).map(async ([name, load]) => ({ name, text: (await load()).default })),
  );
}
