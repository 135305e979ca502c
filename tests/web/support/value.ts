import type { Result } from "../../../web/engine/result";

/** The value of a call that must not fail. */
export function value<Value>(result: Result<Value> | { readonly type: "faults" }): Value {
  if (result.type !== "value") throw new Error(JSON.stringify(result));
  return result.value;
}
