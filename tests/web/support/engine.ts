// The compiled engine, from the file that the site is built from.

import { readFile } from "node:fs/promises";
import path from "node:path";

const file = path.join(import.meta.dirname, "../../../build/wasm/bin/lockstep.wasm");

export async function compiledEngine(): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await readFile(file));
}
