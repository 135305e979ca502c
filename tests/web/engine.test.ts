import { beforeAll, describe, expect, it } from "vitest";
import type { Device, DeviceOutput, Engine } from "../../web/engine/engine";
import { startEngine } from "../../web/engine/load";
import type { RunConfig } from "../../web/engine/run";
import { compiledEngine } from "./support/engine";
import { gradientHash } from "./support/hash";
import { hostileBytes } from "./support/hostile";
import { value } from "./support/value";

let engine: Engine;

beforeAll(async () => {
  engine = await startEngine(await compiledEngine());
});

/** Steps all devices in turn, carrying their messages, until all are done. */
function finish(devices: readonly Device[]): void {
  const open = new Set(devices);
  // Two devices of a few layers take some dozens of steps each.
  for (let round = 0; open.size > 0; round += 1) {
    if (round > 1000) throw new Error("the devices wait for each other");
    for (const device of open) {
      const outcome = device.step();
      if (outcome.type === "failed") throw new Error(JSON.stringify(outcome.error));
      if (outcome.type === "done") open.delete(device);
      for (const { to, bytes } of device.takeOutbox()) {
        expect(devices[to]?.deliver(bytes)).toBeUndefined();
      }
    }
  }
}

function makeDevices(config: RunConfig, count: number): Device[] {
  return Array.from({ length: count }, (_, rank) => value(engine.makeDevice(config, rank)));
}

function freeAll(devices: readonly Device[]): void {
  for (const device of devices) device.free();
}

describe("the engine as a module", () => {
  it("describes a run with every default filled in", () => {
    const run = value(engine.describeRun({}));
    expect(run.config).toEqual({
      strategy: "data_parallel",
      model: "mlp",
      widths: [16, 32, 32, 4],
      rows: 64,
      seed: 1,
      precision: "float64",
      devices: 4,
      weighted: false,
      collective: "ring_all_reduce",
    });
    // 16·32 + 32 + 32·32 + 32 + 32·4 + 4
    expect(run.parameters).toBe(1732);
    expect(run.devices.map(({ rows }) => rows)).toEqual([16, 16, 16, 16]);
    // Forward, backward, 3 + 3 sends and receives of the ring, and the division by 4.
    expect(run.devices.map(({ operations }) => operations.length)).toEqual([15, 15, 15, 15]);
    expect(run.program).toMatch(/^program data_parallel\n/);
  });

  it.each([
    [{ devices: 0 }, "out_of_range", "devices"],
    [{ devices: 17 }, "out_of_range", "devices"],
    [{ devices: 3 }, "rows_not_divisible", "rows"],
    [{ rows: 1e9 }, "out_of_range", "rows"],
    [{ rows: 6.5 }, "out_of_range", "/rows"],
    [{ rows: Number.NaN }, "wrong_type", "/rows"],
    [{ seed: 2 ** 53 }, "out_of_range", "/seed"],
    [{ seed: -1 }, "out_of_range", "/seed"],
    [{ precision: "float16" }, "unknown_precision", "/precision"],
    [{ strategy: "pipeline" }, "unknown_strategy", "/strategy"],
    [{ widths: [16] }, "layers_out_of_range", "widths"],
    [{ devics: 4 }, "unknown_key", "/devics"],
    [[], "wrong_type", "line 1, column 1"],
  ])("refuses %j with %s at %s", (config, code, where) => {
    const result = engine.describeRun(config as RunConfig);
    expect(result).toMatchObject({ type: "error", error: { code, where } });
  });

  it("refuses a device that the run does not have", () => {
    for (const rank of [-1, 4, 2 ** 31 - 1]) {
      expect(engine.makeDevice({}, rank)).toMatchObject({ error: { code: "unknown_device" } });
    }
  });

  it("counts the devices that are not freed", () => {
    const before = engine.liveDeviceCount();
    const devices = makeDevices({}, 4);
    expect(engine.liveDeviceCount()).toBe(before + 4);
    freeAll(devices);
    expect(engine.liveDeviceCount()).toBe(before);
  });

  it("gives buffers that stay as they are when its memory grows", () => {
    const devices = makeDevices({ devices: 1 }, 1);
    finish(devices);
    const gradient = devices[0]?.output().gradient ?? new Uint8Array();
    const hash = gradientHash(gradient);
    const large = makeDevices({ widths: [2048, 2048], rows: 64, devices: 1 }, 1);
    expect(gradientHash(gradient)).toBe(hash);
    freeAll([...devices, ...large]);
  });

  it("gives the same gradient before, between and after hostile messages, which it refuses", () => {
    const hashes = new Set<string>();
    for (let seed = 0; seed < 200; seed += 1) {
      const devices = makeDevices({ devices: 2, rows: 6, widths: [3, 5, 2] }, 2);
      const first = devices[0] as Device;
      first.step();
      for (const bytes of hostileBytes(seed)) {
        expect(first.deliver(bytes), `seed ${seed}`).toMatchObject({
          where: expect.stringMatching(/^device 0/),
        });
      }
      finish(devices);
      hashes.add(gradientHash(first.output().gradient));
      freeAll(devices);
    }
    expect(hashes.size).toBe(1);
  });

  function outputsOf(config: RunConfig, count: number): DeviceOutput[] {
    const devices = makeDevices(config, count);
    finish(devices);
    const outputs = devices.map((device) => device.output());
    freeAll(devices);
    return outputs;
  }

  it("finds the devices' gradient right, and says how far it is from a single device's", () => {
    const report = value(engine.checkGradient({}, outputsOf({}, 4)));
    // The native engine's hashes of four devices and of one.
    expect(report).toMatchObject({
      passed: true,
      hash: "4e203dcfce6b58a8",
      single_device_hash: "edf520ec44ac851f",
      bit_equal: false,
    });
    expect(report.largest_difference).toBeGreaterThan(0);
    expect(report.largest_difference).toBeLessThan(1e-15);
    expect(report.largest_share_of_bound).toBeLessThanOrEqual(1);
    expect(report.finite_differences.compared).toBeGreaterThan(0);
  });

  it("finds one device's gradient bit for bit equal", () => {
    const report = value(engine.checkGradient({ devices: 1 }, outputsOf({ devices: 1 }, 1)));
    expect(report).toMatchObject({ passed: true, bit_equal: true, largest_difference: 0 });
  });

  /** The outputs of a run of two, changed in one way. */
  function changed(
    change: (gradient: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>,
  ): DeviceOutput[] {
    const [first, second] = outputsOf({ devices: 2 }, 2) as [DeviceOutput, DeviceOutput];
    return [first, { ...second, gradient: change(second.gradient) }];
  }

  it.each<[string, string, () => DeviceOutput[]]>([
    [
      "a flipped bit",
      "replicas_disagree",
      () =>
        changed((gradient) => {
          gradient[100] = (gradient[100] ?? 0) ^ 1;
          return gradient;
        }),
    ],
    [
      "a NaN",
      "not_finite",
      () =>
        changed((gradient) => {
          new DataView(gradient.buffer).setFloat64(80, Number.NaN, true);
          return gradient;
        }),
    ],
    [
      "a gradient that is too short",
      "wrong_results",
      () => changed((gradient) => gradient.slice(8)),
    ],
    ["a missing device", "wrong_results", () => changed((gradient) => gradient).slice(0, 1)],
    [
      "a hundred devices",
      "wrong_results",
      () => new Array(100).fill(changed((gradient) => gradient)[0]),
    ],
  ])("refuses %s with %s", (_, code, outputs) => {
    expect(engine.checkGradient({ devices: 2 }, outputs())).toMatchObject({ error: { code } });
  });

  it("finds a gradient wrong that all devices agree on", () => {
    const outputs = outputsOf({ devices: 2 }, 2);
    for (const { gradient } of outputs) {
      const numbers = new DataView(gradient.buffer);
      numbers.setFloat64(80, numbers.getFloat64(80, true) + 1e-9, true);
    }
    const report = value(engine.checkGradient({ devices: 2 }, outputs));
    expect(report.passed).toBe(false);
    expect(report.largest_share_of_bound).toBeGreaterThan(1);
  });

  it("answers a call after a trap with an error that says so", () => {
    const trapped = new (engine.constructor as new (module: object) => Engine)({
      describe_run: () => {
        throw new WebAssembly.RuntimeError("unreachable");
      },
    });
    for (let call = 0; call < 2; call += 1) {
      expect(trapped.describeRun({})).toMatchObject({ error: { code: "engine_stopped" } });
    }
  });
});
