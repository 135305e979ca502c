// A value or a located error: what every call of the engine gives.

/** What went wrong, for a person and for a program (engine/core/result.h). */
export interface EngineError {
  readonly code: string;
  /** The place: "devices", "device 2, instruction 5", "/model/widths/0". */
  readonly where: string;
  readonly message: string;
}

export type Result<Value> =
  | { readonly type: "value"; readonly value: Value }
  | { readonly type: "error"; readonly error: EngineError };

export function success<Value>(value: Value): Result<Value> {
  return { type: "value", value };
}

export function failure<Value>(error: EngineError): Result<Value> {
  return { type: "error", error };
}

/** One thing to correct in an exercise file (engine/document/file_fault.h). */
export interface FileFault {
  readonly code: string;
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in characters. */
  readonly column: number;
  /** JSON Pointer of the value, "" for the whole file. */
  readonly pointer: string;
  readonly message: string;
  /** The name that was probably meant, or empty. */
  readonly suggestion: string;
}

/** What a file holds, an error, or every fault of the file. */
export type FileResult<Value> =
  | Result<Value>
  | { readonly type: "faults"; readonly faults: readonly FileFault[] };
