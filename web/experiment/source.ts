// The engine's own source of what an experiment ran, loaded when somebody wants to read it.

import type { Experiment } from "../engine/lesson-page";

export interface SourceFile {
  readonly name: string;
  readonly text: string;
}

type Load = () => Promise<{ readonly default: string }>;

const files: Readonly<Record<Experiment["kind"], Readonly<Record<string, Load>>>> = {
  data_parallel_run: {
    "engine/strategy/data_parallel.cpp": () =>
      import("../../engine/strategy/data_parallel.cpp?raw"),
    "engine/collective/ring_all_reduce.cpp": () =>
      import("../../engine/collective/ring_all_reduce.cpp?raw"),
  },
  pipeline_run: {
    "engine/strategy/pipeline_parallel.cpp": () =>
      import("../../engine/strategy/pipeline_parallel.cpp?raw"),
    "engine/schedule/gpipe.cpp": () => import("../../engine/schedule/gpipe.cpp?raw"),
    "engine/schedule/one_f_one_b.cpp": () => import("../../engine/schedule/one_f_one_b.cpp?raw"),
    "engine/schedule/lower.cpp": () => import("../../engine/schedule/lower.cpp?raw"),
  },
};

/** The files behind a kind of experiment. */
export function loadSource(kind: Experiment["kind"]): Promise<readonly SourceFile[]> {
  return Promise.all(
    Object.entries(files[kind]).map(async ([name, load]) => ({
      name,
      text: (await load()).default,
    })),
  );
}
