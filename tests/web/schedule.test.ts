import { beforeAll, describe, expect, it } from "vitest";
import type { Engine } from "../../web/engine/engine";
import { startEngine } from "../../web/engine/load";
import type { ScheduleRequest } from "../../web/engine/schedule";
import { lockstep } from "./support/command";
import { compiledEngine } from "./support/engine";
import { value } from "./support/value";

let engine: Engine;

beforeAll(async () => {
  engine = await startEngine(await compiledEngine());
});

const schedules = ["gpipe", "one_f_one_b"].flatMap((schedule) =>
  [1, 2, 4, 7].flatMap((stages) =>
    [1, 4, 8, 13].map((microbatches) => ({ schedule, stages, microbatches })),
  ),
);

describe("a schedule in the module", () => {
  it.each(schedules)("takes (m + p − 1) times a forward and a backward: %j", (request) => {
    const { stages: p, microbatches: m } = request;
    const timed = value(engine.timeSchedule(request));
    // Forward 1, the two halves of the backward 1 each.
    expect(timed.makespan).toBe(String((m + p - 1) * 3));
    for (const { busy } of timed.devices) expect(busy).toBe(String(3 * m));
    expect(timed.devices.map(({ spans }) => spans.length)).toEqual(new Array(p).fill(2 * m));
  });

  it("has the text that the command prints", () => {
    const request = {
      schedule: "1F1B",
      stages: 4,
      microbatches: 8,
      forward: "3/2",
      latency: "0.1",
    };
    const words = ["--stages=4", "--microbatches=8", "--forward=3/2", "--latency=0.1", "--json"];
    const printed = lockstep("schedule", "1F1B", ...words);
    expect(`${JSON.stringify(value(engine.timeSchedule(request)))}\n`).toBe(printed);
  });

  it.each(schedules)("is drawn with a titled cell for every piece of work: %j", (request) => {
    const { stages, microbatches } = request;
    const picture = value(engine.drawSchedule(request));
    const cells = picture.shapes.filter(({ instruction }) => instruction !== undefined);
    const work = cells.filter(({ kind }) => kind === "rect");
    expect(work.length).toBe(2 * stages * microbatches);
    for (const { title, rank } of work) {
      expect(title).not.toBe("");
      expect(rank).toBeLessThan(stages);
    }
    expect(picture.title).not.toBe("");
    expect(picture.description).not.toBe("");
    expect(engine.pictureStylesheet()).toContain(".lockstep-picture");
  });

  it.each([
    [{ schedule: "gpip" }, "unknown_schedule"],
    [{ stages: 0 }, "out_of_range"],
    [{ stages: 65 }, "out_of_range"],
    [{ microbatches: 1025 }, "out_of_range"],
    [{ microbatches: 1.5 }, "out_of_range"],
    [{ chunks: 2 }, "chunks_not_one"],
    [{ forward: "-1" }, "out_of_range"],
    [{ forward: "1/0" }, "division_by_zero"],
    [{ latency: "soon" }, "unknown_name"],
    [{ colour: "red" }, "unknown_key"],
  ])("is refused where it has %j, with %s", (wrong, code) => {
    const request = { schedule: "gpipe", stages: 4, microbatches: 8, ...wrong } as ScheduleRequest;
    expect(engine.timeSchedule(request)).toMatchObject({ error: { code } });
    expect(engine.drawSchedule(request)).toMatchObject({ error: { code } });
  });
});

describe("a closed form in the module", () => {
  it("is exact, whatever its numbers are written as", () => {
    // 80 / (10 + 2) = 20/3; (4 − 1) / (8 + 4 − 1) = 3/11; 80 / (0.1 + 0.2) = 800/3.
    const times = { t_single: 80, t_compute: 10, t_comm: "2" };
    expect(value(engine.compute("speedup", times)).value).toBe("20/3");
    expect(value(engine.compute("speedup", times)).number).toBe(20 / 3);
    const bubble = value(engine.compute("pipeline_bubble", { stages: 4, microbatches: 8 }));
    expect(bubble.value).toBe("3/11");
    const tenths = { t_single: 80, t_compute: 0.1, t_comm: 0.2 };
    expect(value(engine.compute("speedup", tenths)).value).toBe("800/3");
  });

  it("has the text that the command prints", () => {
    const printed = lockstep("compute", "pipeline_bubble", "stages=5", "microbatches=12", "--json");
    const form = value(engine.compute("pipeline_bubble", { stages: 5, microbatches: 12 }));
    expect(`${JSON.stringify(form)}\n`).toBe(printed);
  });

  it.each<[string, Record<string, number | string>, string]>([
    ["spedup", {}, "unknown_formula"],
    ["speedup", { t_single: 80 }, "missing_parameter"],
    ["speedup", { t_single: 80, t_compute: 10, t_com: 2 }, "unknown_parameter"],
    ["speedup", { t_single: Number.NaN, t_compute: 10, t_comm: 2 }, "unknown_name"],
    ["pipeline_bubble", { stages: 2.5, microbatches: 8 }, "out_of_range"],
    ["pipeline_bubble", { __proto__x: 1 }, "bad_name"],
  ])("%s of %j is refused with %s", (name, values, code) => {
    expect(engine.compute(name, values)).toMatchObject({ error: { code } });
  });
});
