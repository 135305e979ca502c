#!/usr/bin/env node
// Builds the site into build/site, as plain files for any web server: node web/tool/build.mjs

import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";
import { build } from "vite";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
const site = path.join(root, "build/site");

/** The sizes of what a visitor downloads, as a server that compresses would send it. */
async function printSizes() {
  const names = (await readdir(site, { recursive: true })).sort();
  let total_bytes = 0;
  for (const name of names.filter((each) => /\.(html|css|js|wasm)$/.test(each))) {
    const size_bytes = brotliCompressSync(await readFile(path.join(site, name))).length;
    total_bytes += size_bytes;
    console.log(`${(size_bytes / 1000).toFixed(1).padStart(7)} KB  ${name}`);
  }
  console.log(`${(total_bytes / 1000).toFixed(1).padStart(7)} KB  in all (brotli)`);
}

for (const name of ["lockstep.mjs", "lockstep.wasm"]) {
  if (existsSync(path.join(root, "build/wasm/bin", name))) continue;
  console.error(`build: build/wasm/bin/${name} is missing: ./start --build-only builds it first`);
  process.exit(1);
}
await build({ configFile: path.join(root, "vite.config.ts"), logLevel: "warn" });
await printSizes();
console.log(`The site is in ${path.relative(process.cwd(), site) || "."}`);
