// What the engine's JSON texts about runs hold, field for field (engine/json/run_json.h).

/** What to run; a missing field gets the default of its strategy. */
export interface RunConfig {
  readonly strategy?: "data_parallel" | "pipeline_parallel";
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

/** The devices' gradient against a single device's. */
export interface GradientReport {
  readonly largest_difference: number;
  readonly bound: number;
  readonly within_bound: boolean;
  readonly bit_equal: boolean;
  /** 64-bit FNV-1a of the devices' gradient, 16 hexadecimal digits. */
  readonly hash: string;
}
