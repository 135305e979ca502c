// The native command, to hold the module against (LOCKSTEP names another than build/bin/lockstep).

import { spawnSync } from "node:child_process";
import path from "node:path";

const root = path.join(import.meta.dirname, "../../..");
const command = process.env.LOCKSTEP ?? path.join(root, "build/bin/lockstep");

/** What it prints for `words`; an exit status above 1, which is a wrong answer's, is an error. */
export function lockstep(...words: readonly string[]): string {
  const run = spawnSync(command, words, { cwd: root, encoding: "utf8", maxBuffer: 1 << 24 });
  if (run.error) throw run.error;
  if (run.status === null || run.status > 1) throw new Error(`${words.join(" ")}: ${run.stderr}`);
  return run.stdout;
}
