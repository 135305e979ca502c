// The engine's functions with types. Control crosses the border as JSON text, bulk as typed arrays
// that are copies. After a trap the instance is of no use: every later call gives the same error,
// and whoever holds the engine starts a new one.

import type { LockstepDevice, LockstepModule } from "lockstep-module";
import { type EngineError, failure, type Result, success } from "./result";
import type { DeviceCounters, GradientReport, RunConfig, RunDescription } from "./run";

export class Engine {
  private trap: EngineError | undefined;

  constructor(private readonly module: LockstepModule) {}

  version(): string {
    return this.module.version();
  }

  /** What a run would do: every default filled in, and its program. */
  describeRun(config: RunConfig): Result<RunDescription> {
    return this.readJson(() => this.module.describe_run(JSON.stringify(config)));
  }

  /** Compares what the devices ended with, by rank, with the gradient of a single device. */
  checkGradient(config: RunConfig, outputs: readonly DeviceOutput[]): Result<GradientReport> {
    const gradients = outputs.map(({ gradient }) => gradient);
    const squaredErrors = outputs.map(({ squaredError }) => squaredError);
    return this.readJson(() =>
      this.module.check_gradient(JSON.stringify(config), gradients, squaredErrors),
    );
  }

  /** Device `rank` of a run. Free it when it is no longer needed. */
  makeDevice(config: RunConfig, rank: number): Result<Device> {
    const made = this.call(() => this.module.make_device(JSON.stringify(config), rank));
    if (made.type === "error") return made;
    if (typeof made.value === "string") return failure(errorIn(made.value));
    return success(new Device(made.value, (call) => this.call(call)));
  }

  /** How many devices were made and not freed. */
  liveDeviceCount(): number {
    return this.module.live_devices();
  }

  private readJson<Value>(call: () => string): Result<Value> {
    const answer = this.call(call);
    if (answer.type === "error") return answer;
    const parsed: unknown = JSON.parse(answer.value);
    return isError(parsed) ? failure(parsed.error) : success(parsed as Value);
  }

  private call<Value>(call: () => Value): Result<Value> {
    if (this.trap) return failure(this.trap);
    try {
      return success(call());
    } catch (reason) {
      this.trap = {
        code: "engine_stopped",
        where: "engine",
        message: `The engine stopped: ${String(reason)}`,
      };
      return failure(this.trap);
    }
  }
}

/** What a step of a device did. */
export type StepResult =
  | { readonly type: "ran"; readonly instruction: number }
  | { readonly type: "blocked" }
  | { readonly type: "done" }
  | { readonly type: "failed"; readonly error: EngineError };

/** A message on its way to another device; the bytes are nobody else's. */
export interface Outgoing {
  readonly to: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** What a device that is done leaves. */
export interface DeviceOutput {
  /** Of its stages in model order, little-endian IEEE 754. */
  readonly gradient: Uint8Array<ArrayBuffer>;
  /** Σ (output − target)² over its rows. */
  readonly squaredError: number;
}

/** One device of a run (engine/device/device.h). */
export class Device {
  constructor(
    private readonly handle: LockstepDevice,
    private readonly call: <Value>(call: () => Value) => Result<Value>,
  ) {}

  /** Takes in a message, which may hold any bytes, or refuses it and stays as it was. */
  deliver(message: Uint8Array): EngineError | undefined {
    const answer = this.call(() => this.handle.deliver(message));
    if (answer.type === "error") return answer.error;
    return answer.value === "" ? undefined : errorIn(answer.value);
  }

  /** Runs the next instruction. Failed is for good. */
  step(): StepResult {
    const outcome = this.call((): StepResult => {
      switch (this.handle.step()) {
        case 0:
          return { type: "ran", instruction: this.handle.position() - 1 };
        case 1:
          return { type: "blocked" };
        case 2:
          return { type: "done" };
        default:
          return { type: "failed", error: errorIn(this.handle.failure()) };
      }
    });
    return outcome.type === "error" ? { type: "failed", error: outcome.error } : outcome.value;
  }

  /** How many instructions it has run. */
  position(): number {
    return this.handle.position();
  }

  /** The messages sent since the last call, in order. */
  takeOutbox(): readonly Outgoing[] {
    return this.handle.take_outbox() as Outgoing[];
  }

  /** Of a device that is done; a copy. */
  output(): DeviceOutput {
    return {
      gradient: this.handle.gradient() as Uint8Array<ArrayBuffer>,
      squaredError: this.handle.squared_error(),
    };
  }

  /** What it has done and held so far. */
  counters(): DeviceCounters {
    return JSON.parse(this.handle.counters()) as DeviceCounters;
  }

  free(): void {
    this.handle.delete();
  }
}

function isError(value: unknown): value is { readonly error: EngineError } {
  return typeof value === "object" && value !== null && "error" in value;
}

function errorIn(text: string): EngineError {
  return (JSON.parse(text) as { error: EngineError }).error;
}
