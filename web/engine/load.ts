// Gets the engine going. The page compiles the module once; each worker is handed the compiled
// module and makes its own instance with its own memory.

import createLockstep from "lockstep-module";
import { Engine } from "./engine";
import { type EngineError, failure, type Result, success } from "./result";

/** The engine of a page, and its compiled form for the workers. */
export interface RunningEngine {
  readonly engine: Engine;
  readonly module: WebAssembly.Module;
}

/**
 * Gets the engine going from the address of its file. Errors: no_workers, those of compileEngine,
 * engine_refused.
 */
export async function openEngine(address: string): Promise<Result<RunningEngine>> {
  if (typeof Worker !== "function") {
    return failure(
      fault(
        "no_workers",
        "This browser has no Web Workers, and the devices of this page are workers. Open the " +
          "page in a current browser.",
      ),
    );
  }
  const compiled = await compileEngine(address);
  if (compiled.type === "error") return compiled;
  try {
    return success({ engine: await startEngine(compiled.value), module: compiled.value });
  } catch (reason) {
    return failure(
      fault("engine_refused", `This browser could not start the engine: ${String(reason)}`),
    );
  }
}

/** Downloads and compiles the engine. Errors: no_webassembly, engine_missing, engine_unreadable. */
export async function compileEngine(address: string): Promise<Result<WebAssembly.Module>> {
  if (typeof WebAssembly !== "object") {
    return failure(
      fault(
        "no_webassembly",
        "This browser has WebAssembly turned off or does not have it, and the engine needs it. " +
          "Turn it on (some browsers call it a security level), or open this page in another.",
      ),
    );
  }
  const response = await fetch(address).catch(() => undefined);
  if (!response?.ok) {
    const reason = response ? `the server answered ${response.status}` : "the server is not there";
    return failure(
      fault("engine_missing", `The engine could not be loaded: ${reason}. Reload the page.`),
    );
  }
  try {
    // Not compileStreaming: it refuses the file from servers that do not know its type.
    return success(await WebAssembly.compile(await response.arrayBuffer()));
  } catch (reason) {
    return failure(
      fault("engine_unreadable", `This browser cannot read the engine: ${String(reason)}`),
    );
  }
}

/** A new instance of the compiled engine, with its own memory. */
export async function startEngine(compiled: WebAssembly.Module): Promise<Engine> {
  const module = await new Promise<Awaited<ReturnType<typeof createLockstep>>>(
    (resolve, reject) => {
      createLockstep({
        instantiateWasm(imports, done) {
          WebAssembly.instantiate(compiled, imports).then(
            (instance) => done(instance, compiled),
            reject,
          );
          return {};
        },
      }).then(resolve, reject);
    },
  );
  return new Engine(module);
}

function fault(code: string, message: string): EngineError {
  return { code, where: "engine", message };
}
