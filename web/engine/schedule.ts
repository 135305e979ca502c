// What the engine's JSON texts about schedules and closed forms hold, field for field
// (engine/json/schedule_json.h, picture_json.h, compute_json.h). Times are simulated.

/** A schedule for a number of stages and microbatches. */
export interface ScheduleRequest {
  /** A name of the schedule table, or an alias: "one_f_one_b", "1F1B". */
  readonly schedule: string;
  /** Devices of the pipeline. */
  readonly stages: number;
  readonly microbatches: number;
  /** Model chunks a device holds; as the schedule needs where it is left out. */
  readonly chunks?: number;
  /** Exact texts: "1", "0.5", "3/2", or one a stage: "1, 2, 1, 1"; 1 where they are left out. */
  readonly forward?: string;
  readonly backward_input?: string;
  readonly backward_weight?: string;
  /** Of a forward and a backward that overlap, in all; as one after the other where left out. */
  readonly overlap?: string;
  /** From the end of a transfer to its arrival; 0 where it is left out. */
  readonly latency?: string;
  /** Bytes a unit of time, and the bytes of a message; without limit where it is left out. */
  readonly bandwidth?: string;
  readonly bytes?: string;
  /** Other links, from a rank to a rank: "0-1:latency=1/2,bandwidth=4,1-0:latency=2". */
  readonly link?: string;
  /** Bytes of a stage, or one number a stage; nothing where they are left out. */
  readonly weights?: string;
  readonly gradients?: string;
  readonly optimizer?: string;
  readonly activations?: string;
}

/**
 * From a time on: activations in flight and their bytes if they are freed at the weight gradient,
 * then the same if they are freed at the input gradient.
 */
export type MemoryPoint = readonly [string, number, number, number, number];

/** When everything happens. Times and shares are exact texts: "33", "3/11". */
export interface TimedSchedule {
  readonly schedule: string;
  readonly microbatches: number;
  /** By stage. */
  readonly stage_rank: readonly number[];
  /** Of DualPipe: who holds the copy of a stage that the second half of the microbatches takes. */
  readonly second_half_rank?: readonly number[];
  /** The work of each device, in order: "0F0 0F1 0B0 …". */
  readonly ranks: readonly string[];
  readonly tick: string;
  readonly makespan: string;
  /** No order of this work takes less, whatever the memory; not told of pairs with a time. */
  readonly least_time?: string;
  /** The idle share by each measure in use (engine/cost/simulate.h); null where nothing works. */
  readonly bubbles: {
    readonly of_total: string;
    readonly of_ideal: string;
    readonly in_span: string;
    readonly span_of_ideal: string;
  } | null;
  readonly devices: readonly {
    readonly busy: string;
    readonly first_start: string;
    readonly last_end: string;
    readonly peak_until_weight_gradient: number;
    readonly peak_until_input_gradient: number;
    readonly spans: readonly {
      readonly action: string;
      readonly start: string;
      readonly end: string;
    }[];
    /** Bytes that are there throughout, and what is kept for backwards over time. */
    readonly memory: {
      readonly weights: number;
      readonly gradients: number;
      readonly optimizer: number;
      readonly points: readonly MemoryPoint[];
    };
  }[];
  /** How a search for it ended. */
  readonly search?: {
    readonly end: "proven" | "node_limit" | "cancelled";
    readonly lower_bound: string;
    readonly nodes: number;
  };
}

interface Drawn {
  /** Names of the picture style sheet, separated by blanks. */
  readonly classes: string;
  /** What the shape stands for, in words. */
  readonly title?: string;
  /** Of a cell: what it needs and what it feeds. */
  readonly story?: string;
  /** Device whose instruction it shows, and the instruction's index in the device's list. */
  readonly rank?: number;
  readonly instruction?: number;
}

/** Lengths are CSS pixels, y goes down. */
export type Shape = Drawn &
  (
    | {
        readonly kind: "rect" | "line";
        readonly x: number;
        readonly y: number;
        readonly width: number;
        readonly height: number;
      }
    | { readonly kind: "path"; readonly path: string }
    | { readonly kind: "text"; readonly x: number; readonly y: number; readonly text: string }
  );

/** A picture as shapes, for SVG nodes. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly title: string;
  /** Says what the picture says, for those who do not see it. */
  readonly description: string;
  readonly shapes: readonly Shape[];
}

/** The value of a closed form. */
export interface FormValue {
  readonly name: string;
  /** Exact: "20/3", "6.4". */
  readonly value: string;
  /** The nearest double, to draw with. */
  readonly number: number;
  readonly unit: string;
}
