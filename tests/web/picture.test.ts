import { beforeAll, describe, expect, it } from "vitest";
import type { Engine } from "../../web/engine/engine";
import { startEngine } from "../../web/engine/load";
import type { RunConfig } from "../../web/engine/run";
import type { Picture } from "../../web/engine/schedule";
import { cellsOf, type Direction, walk } from "../../web/picture/walk";
import { compiledEngine } from "./support/engine";
import { runHosts } from "./support/hosts";
import { value } from "./support/value";

const pipeline: RunConfig = { strategy: "pipeline_parallel" };
const stageWork = ["forward", "backward"];

let engine: Engine;

beforeAll(async () => {
  engine = await startEngine(await compiledEngine());
});

function work(picture: Picture) {
  return cellsOf(picture.shapes).filter(({ classes }) => stageWork.includes(classes));
}

describe("a run as pictures", () => {
  it.each<[string, RunConfig, number]>([
    ["the default pipeline of 4 stages and 8 microbatches", pipeline, 4 * 8 * 2],
    ["4 devices that share the batch", {}, 4 * 2],
  ])("shows each piece of work of %s once, simulated and measured", async (_, config, pieces) => {
    const simulated = value(engine.drawRun(config));
    const { done } = await runHosts(config, 4);
    const spans = done.map((device) => device.spans);
    const measured = value(engine.drawMeasured(config, spans));
    const place = ({ rank, instruction }: { rank: number; instruction?: number }) =>
      `${rank} ${instruction}`;
    expect(work(simulated)).toHaveLength(pieces);
    expect(work(measured).map(place)).toEqual(work(simulated).map(place));
    for (const { story, title } of [...work(simulated), ...work(measured)]) {
      expect(story).toMatch(/Needs: .+\.$/);
      expect(title).toMatch(/^device \d: /);
    }
    expect(simulated.description).toContain("simulated time");
    expect(simulated.description).not.toContain("measured");
    expect(measured.description).toContain("measured time");
    expect(measured.description).not.toContain("simulated");
  });

  it("has the bubble of the closed form where messages take no time", () => {
    expect(value(engine.drawRun(pipeline)).description).toMatch(/3\/11 = 27\.3\s%/);
  });

  it("refuses spans that no run has, at their place", async () => {
    const { done } = await runHosts({}, 4);
    const spans = done.map((device) => device.spans);
    const changed = (change: (copy: Float64Array) => void) => {
      const copy = spans[1]?.slice() ?? new Float64Array();
      change(copy);
      return engine.drawMeasured({}, [spans[0], copy, spans[2], spans[3]] as Float64Array[]);
    };
    const refusal = (code: string, where: string) => ({ error: { code, where } });
    expect(changed((copy) => copy.set([7], 3))).toMatchObject(
      refusal("out_of_order", "device 1, span 1"),
    );
    expect(changed((copy) => copy.set([Number.NaN], 4))).toMatchObject(
      refusal("out_of_range", "device 1, span 1"),
    );
    expect(engine.drawMeasured({}, spans.slice(1))).toMatchObject(
      refusal("missing_span", "devices"),
    );
    expect(engine.drawMeasured({}, [[1, 2, 3]] as never)).toMatchObject(
      refusal("not_numbers", "device 0"),
    );
  });
});

describe("the walk over a timeline", () => {
  const cellsWalked = (keys: readonly Direction[]) => {
    const cells = work(
      value(engine.drawSchedule({ schedule: "gpipe", stages: 3, microbatches: 2 })),
    );
    let at = 0;
    for (const key of keys) at = walk(cells, at, key);
    return cells[at]?.title;
  };

  it.each<[Direction[], string]>([
    [[], "device 0: forward of stage 0 on microbatch 0"],
    [["ArrowRight"], "device 0: forward of stage 0 on microbatch 1"],
    [["ArrowLeft"], "device 0: forward of stage 0 on microbatch 0"],
    [["End"], "device 0: backward of stage 0 on microbatch 1"],
    [["End", "ArrowRight"], "device 0: backward of stage 0 on microbatch 1"],
    [["End", "Home"], "device 0: forward of stage 0 on microbatch 0"],
    // F1 runs from 1 to 2 on rank 0, and F0 on rank 1 at the same time.
    [["ArrowRight", "ArrowDown"], "device 1: forward of stage 1 on microbatch 0"],
    [["ArrowUp"], "device 0: forward of stage 0 on microbatch 0"],
    [["ArrowDown", "ArrowDown", "ArrowDown"], "device 2: forward of stage 2 on microbatch 0"],
  ])("%j leads to: %s", (keys, title) => {
    expect(cellsWalked(keys)).toContain(title);
  });
});
