// The engine's functions with types. Control crosses the border as JSON text, bulk as typed arrays
// that are copies. After a trap the instance is of no use: every later call gives the same error,
// and whoever holds the engine starts a new one.

import type { LockstepDevice, LockstepModule } from "lockstep-module";
import { Lesson, type Locale } from "./lesson";
import type { ChapterPage } from "./lesson-page";
import type { AnswerEvent, Attempt, Moment, Rating, Renaming, Replay } from "./progress";
import {
  type EngineError,
  type FileFault,
  type FileResult,
  failure,
  type Result,
  success,
} from "./result";
import type { DeviceCounters, GradientReport, RunConfig, RunDescription } from "./run";
import type { FormValue, Picture, ScheduleRequest, TimedSchedule } from "./schedule";

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
    const lossSums = outputs.map((output) => output.lossSums);
    const parameters = outputs.map((output) => output.parameters);
    return this.readJson(() =>
      this.module.check_gradient(JSON.stringify(config), gradients, lossSums, parameters),
    );
  }

  /** The run as a picture in simulated time, before or after it ran: its program is known. */
  drawRun(config: RunConfig): Result<Picture> {
    return this.readJson(() => this.module.draw_run(JSON.stringify(config)));
  }

  /**
   * The same in measured time. `spans` by rank: index of the instruction, start and end in
   * milliseconds, for each instruction in the order it ran; all devices share the zero of time.
   */
  drawMeasured(config: RunConfig, spans: readonly Float64Array[]): Result<Picture> {
    return this.readJson(() => this.module.draw_measured(JSON.stringify(config), spans));
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

  /** A lesson from the bytes of its file, which `path` names in faults. Free it. */
  loadLesson(path: string, bytes: Uint8Array): FileResult<Lesson> {
    const made = this.call(() => this.module.load_lesson(path, bytes));
    if (made.type === "error") return made;
    if (typeof made.value === "string") return this.readFile(made.value) as FileResult<Lesson>;
    return success(new Lesson(made.value, (call) => this.readJson(call)));
  }

  /** A chapter from the bytes of its file; nothing is held. */
  readChapter(path: string, bytes: Uint8Array, locale?: Locale): FileResult<ChapterPage> {
    const text = this.call(() => this.module.read_chapter(path, bytes, locale ?? ""));
    return text.type === "error" ? text : this.readFile(text.value);
  }

  /** How many lessons were loaded and not freed. */
  liveLessonCount(): number {
    return this.module.live_lessons();
  }

  /** The one style sheet of all worksheets, as it stands in them. */
  worksheetStylesheet(): string {
    return this.module.worksheet_stylesheet();
  }

  /** The style sheet of all pictures. */
  pictureStylesheet(): string {
    return this.module.picture_stylesheet();
  }

  /** When everything in a schedule happens, in simulated time. */
  timeSchedule(request: ScheduleRequest): Result<TimedSchedule> {
    return this.readJson(() => this.module.time_schedule(JSON.stringify(request)));
  }

  /** The same as a picture: devices are rows, time runs to the right. */
  drawSchedule(request: ScheduleRequest): Result<Picture> {
    return this.readJson(() => this.module.draw_schedule(JSON.stringify(request)));
  }

  /** The exact value of a closed form (`lockstep compute --list`), of numbers or exact texts. */
  compute(name: string, values: Readonly<Record<string, number | string>>): Result<FormValue> {
    const texts = Object.entries(values).map(([key, value]) => [key, String(value)]);
    const request = { name, values: Object.fromEntries(texts) };
    return this.readJson(() => this.module.compute(JSON.stringify(request)));
  }

  /** The learning day that an answer counts for. */
  learningDay(moment: Moment): Result<{ readonly day: number }> {
    const { ms, offset_min } = moment;
    return this.readJson(() => this.module.learning_day(JSON.stringify({ ms, offset_min })));
  }

  /** How an answer rates its skill; null where it says nothing about it. */
  rateAnswer(attempt: Attempt): Result<{ readonly rating: Rating | null }> {
    return this.readJson(() => this.module.rate_answer(JSON.stringify(attempt)));
  }

  /** What a set of answers, in any order, leaves of every skill, and its star now. */
  replayAnswers(
    events: readonly AnswerEvent[],
    now: Moment,
    renamings: readonly Renaming[] = [],
  ): Result<Replay> {
    const request = {
      now: { ms: now.ms, offset_min: now.offset_min },
      ...(events.length > 0 && { events: events.map(replayed) }),
      ...(renamings.length > 0 && { renamings }),
    };
    return this.readJson(() => this.module.replay_answers(JSON.stringify(request)));
  }

  private readFile<Value>(text: string): FileResult<Value> {
    const parsed: unknown = JSON.parse(text);
    if (isError(parsed)) return failure(parsed.error);
    if (isFaults(parsed)) return { type: "faults", faults: parsed.faults };
    return success(parsed as Value);
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
  /** By step of training, Σ of the losses over its rows. */
  readonly lossSums: Float64Array<ArrayBuffer>;
  /** After the last update, laid out like the gradient; empty where nothing is updated. */
  readonly parameters: Uint8Array<ArrayBuffer>;
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
      lossSums: this.handle.loss_sums() as Float64Array<ArrayBuffer>,
      parameters: this.handle.parameters() as Uint8Array<ArrayBuffer>,
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

function isFaults(value: unknown): value is { readonly faults: readonly FileFault[] } {
  return typeof value === "object" && value !== null && "faults" in value;
}

/** The fields of an event that the engine reads; its reader knows a missing rating, not null. */
function replayed({ id, skill, ms, day, rating }: AnswerEvent): object {
  return { id, skill, ms, day, ...(rating !== null && { rating }) };
}

function errorIn(text: string): EngineError {
  return (JSON.parse(text) as { error: EngineError }).error;
}
