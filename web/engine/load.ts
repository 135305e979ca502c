// Gets the engine going. The page compiles the module once; each worker is handed the compiled
// module and makes its own instance with its own memory.

import createLockstep from "lockstep-module";
import { Engine } from "./engine";
import { type EngineError, failure, type Result, success } from "./result";

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
