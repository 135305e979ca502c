import { describe, expect, it } from "vitest";
import { gradientHash } from "./support/hash";
import { runHosts } from "./support/hosts";

/** What the native engine gives for seed 1 and the default model, by the number of devices. */
const nativeHashes = {
  1: "edf520ec44ac851f",
  2: "bf06029ad8a90ab3",
  4: "4e203dcfce6b58a8",
  8: "764839248b799211",
  16: "be4b67db6e6227d9",
};

describe("hosted devices", () => {
  it.each(Object.entries(nativeHashes))(
    "%s of them end with the native gradient, bit for bit, on every device",
    async (devices, hash) => {
      const run = await runHosts({ devices: Number(devices) }, Number(devices));
      expect(run.errors).toEqual([]);
      expect(run.done.map(({ output }) => gradientHash(output.gradient))).toEqual(
        new Array(Number(devices)).fill(hash),
      );
    },
  );

  it("send 2(N − 1)/N of the gradient each in the ring", async () => {
    const { done } = await runHosts({ devices: 4 }, 4);
    // 1732 numbers of 8 bytes; a quarter is 433 numbers, sent 6 times.
    expect(done.map(({ counters }) => counters.bytes_sent)).toEqual(new Array(4).fill(6 * 433 * 8));
    expect(done.map(({ counters }) => counters.messages_sent)).toEqual([6, 6, 6, 6]);
  });

  it("measure each instruction once, in order, and none ends before it starts", async () => {
    const { done } = await runHosts({ devices: 4 }, 4);
    for (const { spans } of done) {
      const rows = Array.from({ length: spans.length / 3 }, (_, row) =>
        spans.subarray(3 * row, 3 * row + 3),
      );
      expect(rows.map(([instruction]) => instruction)).toEqual([...rows.keys()]);
      expect(rows).toHaveLength(15);
      for (const [, start = Number.NaN, end = Number.NaN] of rows) {
        expect(end).toBeGreaterThanOrEqual(start);
      }
    }
  });

  it("tell that they live, are ready, how far they are, and that they are done", async () => {
    const { told } = await runHosts({ devices: 2 }, 2);
    for (const messages of told) {
      const types = messages.map(({ type }) => type);
      expect([...new Set(types)]).toEqual(["alive", "ready", "progress", "done"]);
    }
  });

  it("share unequal rows when asked to weigh them", async () => {
    const { done, errors } = await runHosts({ devices: 3, weighted: true }, 3);
    expect(errors).toEqual([]);
    expect(new Set(done.map(({ output }) => gradientHash(output.gradient))).size).toBe(1);
  });

  it("refuse unequal shares otherwise, with the engine's reason", async () => {
    const { errors } = await runHosts({ devices: 3 }, 3);
    expect(errors[0]).toMatchObject({ code: "rows_not_divisible", where: "rows" });
  });

  it("run a pipeline, each with the gradient of its own layers", async () => {
    const config = { strategy: "pipeline_parallel", stages: 4, microbatches: 8 } as const;
    const { done, errors } = await runHosts(config, 4);
    expect(errors).toEqual([]);
    // Two layers of 32 × 32 weights and 32 biases, 8 bytes a number.
    expect(done.map(({ output }) => output.gradient.length)).toEqual(
      new Array(4).fill(2 * 1056 * 8),
    );
  });

  it("name the device that was sent what is no message, and end the run", async () => {
    const { errors } = await runHosts({ devices: 4 }, 4, (ports) => {
      ports[0]?.[2]?.postMessage(new ArrayBuffer(5));
    });
    expect(errors[0]).toMatchObject({ code: "message_too_short" });
    expect(errors[0]?.where).toMatch(/^device 2/);
  });
});
