// Hosts one device: steps it, carries its messages, measures, and tells the page how it goes. All
// of a worker but its entry; knows neither page nor worker, so it also runs in a test.

import type { Device } from "../engine/engine";
import { startEngine } from "../engine/load";
import type { EngineError } from "../engine/result";
import { holdLife } from "./life";
import { type DeviceDone, type FromDevice, signEvery_ms, type ToDevice } from "./messages";

/** Sends a message to the page, handing over the buffers in `transfer`. */
export type Tell = (message: FromDevice, transfer: Transferable[]) => void;

/** Gives the function that a worker's messages go to. */
export function hostDevice(tell: Tell): (message: ToDevice) => Promise<void> {
  let host: DeviceHost | undefined;
  return async (message) => {
    if (message.type === "run") return host?.run();
    tell({ type: "alive", holdsLife: await holdLife(message.life) }, []);
    const engine = await startEngine(message.module);
    const device = engine.makeDevice(message.config, message.rank);
    if (device.type === "error") return tell({ type: "failed", error: device.error }, []);
    host = new DeviceHost(device.value, message.peers, tell);
    tell({ type: "ready" }, []);
  };
}

class DeviceHost {
  private readonly spans: number[] = [];
  private error: EngineError | undefined;
  private wake: (() => void) | undefined;
  private told_ms = 0;

  constructor(
    private readonly device: Device,
    private readonly peers: readonly (MessagePort | null)[],
    private readonly tell: Tell,
  ) {
    for (const port of peers) {
      if (port) port.onmessage = (event: MessageEvent) => this.receive(event.data as ArrayBuffer);
    }
  }

  async run(): Promise<void> {
    const signs = setInterval(() => this.tellProgress(), signEvery_ms);
    this.tellProgress();
    const done = await this.work();
    clearInterval(signs);
    if (done) {
      this.tell({ type: "done", result: done }, [done.output.gradient.buffer, done.spans.buffer]);
    } else if (this.error) {
      this.tell({ type: "failed", error: this.error }, []);
    }
  }

  /** Steps until the device is done (what it ends with) or failed (nothing; see `error`). */
  private async work(): Promise<DeviceDone | undefined> {
    while (!this.error) {
      const start_ms = now_ms();
      const outcome = this.device.step();
      if (outcome.type === "failed") this.error = outcome.error;
      if (outcome.type === "done") return this.takeResult();
      if (outcome.type === "blocked") await this.message();
      if (outcome.type === "ran") {
        this.post();
        const end_ms = now_ms();
        this.spans.push(outcome.instruction, start_ms, end_ms);
        if (end_ms - this.told_ms >= signEvery_ms) this.tellProgress();
      }
    }
    return undefined;
  }

  private post(): void {
    for (const { to, bytes } of this.device.takeOutbox()) {
      this.peers[to]?.postMessage(bytes.buffer, [bytes.buffer]);
    }
  }

  /** Waits until a message has come in, or the device has refused one. */
  private message(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
    });
  }

  private receive(bytes: ArrayBuffer): void {
    this.error ??= this.device.deliver(new Uint8Array(bytes));
    this.wake?.();
  }

  private tellProgress(): void {
    this.told_ms = now_ms();
    const counters = this.device.counters();
    this.tell({ type: "progress", instructions: this.device.position(), counters }, []);
  }

  private takeResult(): DeviceDone {
    const result = {
      counters: this.device.counters(),
      output: this.device.output(),
      spans: new Float64Array(this.spans),
    };
    for (const port of this.peers) if (port) port.onmessage = null;
    this.device.free();
    return result;
  }
}

/** Milliseconds since the Unix epoch; two workers' own clocks begin at different times. */
function now_ms(): number {
  return performance.timeOrigin + performance.now();
}
