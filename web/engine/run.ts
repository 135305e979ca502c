// What the engine's JSON texts about runs hold, field for field (engine/json/run_json.h).

/** What to run; a missing field gets the default of its strategy. */
export interface RunConfig {
  readonly strategy?: "data_parallel" | "pipeline_parallel" | "tensor_parallel" | "parallel_3d";
  readonly model?: "mlp" | "transformer";
  readonly widths?: readonly number[];
  readonly rows?: number;
  /** 0 to 2^53 − 1. */
  readonly seed?: number;
  readonly precision?: "float64" | "float32";
  readonly devices?: number;
  readonly weighted?: boolean;
  readonly shares?: readonly number[];
  readonly schedule?: string;
  readonly stages?: number;
  readonly chunks?: number;
  readonly microbatches?: number;
  readonly collective?: string;
  readonly data?: number;
  readonly tensor?: number;
  /** Of training; more than one with an optimizer. */
  readonly steps?: number;
  readonly optimizer?: "none" | "sgd" | "momentum" | "adam";
}

/** A run that the engine found to be possible. */
export interface RunDescription {
  readonly config: RunConfig;
  readonly parameters: number;
  /** The program of all devices as text. */
  readonly program: string;
  /** By rank. */
  readonly devices: readonly {
    readonly rows: number;
    readonly stages: readonly number[];
    /** The word of each instruction: "forward", "send", … */
    readonly operations: readonly string[];
  }[];
}

/** What a device did and held so far. Bytes are those of the numbers, without headers. */
export interface DeviceCounters {
  readonly messages_sent: number;
  readonly bytes_sent: number;
  readonly weight_bytes: number;
  readonly gradient_bytes: number;
  readonly activation_bytes_peak: number;
  readonly in_flight_peak: number;
  readonly in_flight_input_peak: number;
}

/** The devices' gradient against a single device's, and against finite differences. */
export interface GradientReport {
  /** Whether rounding explains every difference. */
  readonly passed: boolean;
  /** 64-bit FNV-1a of the devices' gradient, 16 hexadecimal digits. */
  readonly hash: string;
  readonly single_device_hash: string;
  readonly bit_equal: boolean;
  /** Null where a number was not finite. */
  readonly largest_difference: number | null;
  readonly largest_relative_difference: number | null;
  /** Above 1 rounding does not explain the difference. */
  readonly largest_share_of_bound: number | null;
  /** The parameter with the largest share of its bound. */
  readonly worst: {
    readonly parameter: string;
    readonly difference: number | null;
    readonly bound: number | null;
  };
  /** After the last update; null where the run has none. */
  readonly parameters: {
    readonly bit_equal: boolean;
    readonly largest_difference: number | null;
    readonly bound: number | null;
  } | null;
  /** By step of training. */
  readonly losses: readonly number[];
  readonly single_device_losses: readonly number[];
  readonly loss: number;
  readonly single_device_loss: number;
  readonly loss_bound: number;
  readonly finite_differences: {
    readonly compared: number;
    readonly skipped: number;
    readonly largest_difference: number | null;
    readonly largest_share_of_bound: number | null;
  };
}
