// The declarations of the engine's module against the module itself.

import { readFileSync } from "node:fs";
import path from "node:path";
import type { LockstepDevice, LockstepLesson, LockstepModule } from "lockstep-module";
import createLockstep from "lockstep-module";
import { beforeAll, describe, expect, it } from "vitest";
import { compiledEngine } from "./support/engine";
import { exerciseBytes, lessonPath } from "./support/exercises";

const file = path.join(import.meta.dirname, "../../web/engine/module.d.ts");
const declarations = readFileSync(file, "utf8");

let module: LockstepModule;

beforeAll(async () => {
  const compiled = await compiledEngine();
  module = await createLockstep({
    instantiateWasm(imports, done) {
      void WebAssembly.instantiate(compiled, imports).then((instance) => done(instance, compiled));
      return {};
    },
  });
});

/** The functions that an interface of module.d.ts declares, in order of name. */
function declared(name: string): string[] {
  const body = declarations.split(`export interface ${name} {`)[1]?.split("\n  }")[0] ?? "";
  return [...body.matchAll(/^ {4}([a-z_]+)\(/gm)].map((match) => match[1] ?? "").sort();
}

/** The functions that a handle has, but for those that Emscripten gives to all. */
function bound(handle: LockstepDevice | LockstepLesson): string[] {
  const own = Object.getOwnPropertyNames(Object.getPrototypeOf(handle));
  return [...own.filter((name) => name !== "constructor"), "delete"].sort();
}

describe("the declarations of the module", () => {
  it("name its functions, all and no others", () => {
    const ofEmscripten = /^_|[A-Z]|^count_emval_handles$|^then$/;
    const functions = Object.entries(module).filter(
      ([name, value]) => typeof value === "function" && !ofEmscripten.test(name),
    );
    expect(functions.map(([name]) => name).sort()).toEqual(declared("LockstepModule"));
  });

  it("name the functions of a device and of a lesson, all and no others", () => {
    const device = module.make_device("{}", 0) as LockstepDevice;
    const lesson = module.load_lesson(lessonPath, exerciseBytes(lessonPath)) as LockstepLesson;
    expect(bound(device)).toEqual(declared("LockstepDevice"));
    expect(bound(lesson)).toEqual(declared("LockstepLesson"));
    device.delete();
    lesson.delete();
  });
});
