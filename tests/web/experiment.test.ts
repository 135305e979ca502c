// What an experiment runs, and the command that it says is the same, held against the command.

import { beforeAll, describe, expect, it } from "vitest";
import type { Engine } from "../../web/engine/engine";
import type { Experiment } from "../../web/engine/lesson-page";
import { startEngine } from "../../web/engine/load";
import { commandOf, configOf, type Setup, schedules, setupOf } from "../../web/experiment/setup";
import { slow } from "./progress/support";
import { lockstep } from "./support/command";
import { compiledEngine } from "./support/engine";
import { gradientHash } from "./support/hash";
import { runHosts } from "./support/hosts";
import { value } from "./support/value";

const words = { id: "run", title: "Run", text: [], seed: 1 };
const dataParallel = { ...words, kind: "data_parallel_run", devices: 4, rows: 64 } as const;
const pipeline = {
  ...words,
  kind: "pipeline_run",
  schedule: "one_f_one_b",
  stages: 4,
  microbatches: 8,
} as const;

describe("an experiment", () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await startEngine(await compiledEngine());
  });

  it.each<[string, Experiment, Partial<Setup>]>([
    ["of the lesson", dataParallel, {}],
    ["with another seed", { ...dataParallel, seed: 7 }, {}],
    ["on one device", dataParallel, { devices: 1 }],
    ["on 16 devices", dataParallel, { devices: 16 }],
    ["with weighted shares", dataParallel, { devices: 3, weighted: true }],
    ["of the larger model", dataParallel, { large: true }],
    ["of the lesson's pipeline", pipeline, {}],
    ["of one stage and one microbatch", pipeline, { stages: 1, microbatches: 1 }],
    ["of the larger pipeline", pipeline, { large: true }],
    ...schedules.map(({ name, label }): [string, Experiment, Partial<Setup>] => [
      `of ${label}`,
      pipeline,
      { schedule: name, stages: 2, microbatches: 4 },
    ]),
  ])("%s ends with the hash of the command that it names", slow, async (_, experiment, change) => {
    const config = configOf(experiment, { ...setupOf(experiment), ...change });
    const described = value(engine.describeRun(config));
    const { done, errors } = await runHosts(config, described.devices.length);
    expect(errors).toEqual([]);
    const gradients = done.map(({ output }) => output.gradient);
    // Each device of a pipeline has its own layers' part; otherwise all have the whole.
    const parts = experiment.kind === "pipeline_run" ? gradients : gradients.slice(0, 1);
    const hash = gradientHash(Buffer.concat(parts));

    const [program, ...options] = commandOf(described.config).split(" ");
    expect(program).toBe("lockstep");
    expect(JSON.parse(lockstep(...options, "--json")).report.hash).toBe(hash);
  });

  it("takes what people call a schedule for its name in the engine", () => {
    const { schedule } = setupOf({ ...pipeline, schedule: "1F1B" });
    expect(schedule).toBe("one_f_one_b");
  });
});
