import { beforeAll, describe, expect, it } from "vitest";
import type { Engine } from "../../web/engine/engine";
import { startEngine } from "../../web/engine/load";
import type { RunConfig } from "../../web/engine/run";
import type { Picture } from "../../web/engine/schedule";
import { type Cell, cellAt, cellsOf, type Direction, walk } from "../../web/picture/walk";
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

  it("shows the ring of 4 devices: each sends and receives 6 times and takes the mean", () => {
    const cells = cellsOf(value(engine.drawRun({})).shapes);
    const ring = cells.filter(({ classes }) => classes === "communication");
    expect(ring).toHaveLength(4 * 13);
    for (const { story } of ring) expect(story).toMatch(/ Needs: .+ Feeds: .+\.$/);
  });

  it("says that the clock was too coarse where it told no length", () => {
    const { devices } = value(engine.describeRun({}));
    const spans = devices.map(({ operations }) =>
      Float64Array.from(operations.flatMap((_, index) => [index, 5, 5])),
    );
    const picture = value(engine.drawMeasured({}, spans));
    expect(picture.description).toContain("too coarse to tell how long 8 of 8 pieces of work took");
    expect(value(engine.drawRun({})).description).not.toContain("clock");
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
    // A fraction of an instruction, one that ran twice, an end before its start, half a span.
    expect(changed((copy) => copy.set([1.5], 3))).toMatchObject(
      refusal("out_of_order", "device 1, span 1"),
    );
    expect(changed((copy) => copy.set([0], 3))).toMatchObject(
      refusal("out_of_order", "device 1, span 1"),
    );
    expect(changed((copy) => copy.set([0], 5))).toMatchObject(
      refusal("out_of_range", "device 1, span 1"),
    );
    expect(engine.drawMeasured({}, [new Float64Array(4), ...spans.slice(1)])).toMatchObject(
      refusal("missing_number", "device 0"),
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

describe("a click on a timeline", () => {
  const cells = [
    { x: 10, width: 20 },
    { x: 50, width: 1 },
  ].map(({ x, width }): Cell => {
    const at = { y: 100, width, height: 30 };
    return { kind: "rect", classes: "forward", rank: 0, x, ...at };
  });

  it.each<[string, number, number, number | undefined]>([
    ["inside of a cell", 12, 110, 0],
    ["a little beside a thin cell", 55, 110, 1],
    ["between two cells", 42, 110, 1],
    ["far from all cells", 70, 110, undefined],
    ["above the row", 12, 90, undefined],
    ["below the row", 12, 131, undefined],
  ])("%s means the cell there or near", (_, x, y, index) => {
    expect(cellAt(cells, x, y)).toBe(index);
  });
});
