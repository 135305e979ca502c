// How the site is bundled (web/tool/build.mjs) and its tests are run (npm run test:web, test:browser).

import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";
import { exerciseFiles } from "./web/tool/exercise-files.mjs";
import { contentSecurityPolicy } from "./web/tool/policy.mjs";

const inRoot = (name: string) => path.join(path.dirname(fileURLToPath(import.meta.url)), name);

/** Sets the policy into each page, first of all, so that it holds without our server's header. */
const policyTag: Plugin = {
  name: "policy-tag",
  transformIndexHtml: () => [
    {
      tag: "meta",
      attrs: { "http-equiv": "Content-Security-Policy", content: contentSecurityPolicy },
      injectTo: "head-prepend",
    },
  ],
};

/** How the engine's module asks whether it runs in Node, and what it loads there. */
const nodeParts = [
  [
    'typeof process=="object"&&typeof process.versions=="object"&&' +
      'typeof process.versions.node=="string"',
    "false",
  ],
  ['await import("module")', "{}"],
] as const;

/** Leaves the part for Node out of the engine's module: bundled, it would only be dead weight. */
function browserOnly(): Plugin {
  return {
    name: "browser-only",
    apply: "build",
    transform(code, id) {
      if (!id.endsWith("/lockstep.mjs")) return undefined;
      let rest = code;
      for (const [part, replacement] of nodeParts) {
        if (!rest.includes(part)) this.error(`the engine's module has no ${part} any more`);
        rest = rest.replace(part, replacement);
      }
      return { code: rest, map: null };
    },
  };
}

/** The time of the build; SOURCE_DATE_EPOCH (in seconds) makes two builds the same bytes. */
function builtAt_ms(): number {
  const fixed_s = process.env.SOURCE_DATE_EPOCH;
  return fixed_s ? 1000 * Number(fixed_s) : Date.now();
}

export default defineConfig({
  root: inRoot("web/page"),
  // Relative addresses: the site works from any folder of any server.
  base: "./",
  cacheDir: inRoot("build/vite"),
  resolve: {
    alias: [
      { find: /^lockstep-module$/, replacement: inRoot("build/wasm/bin/lockstep.mjs") },
      { find: /^lockstep-module\.wasm/, replacement: inRoot("build/wasm/bin/lockstep.wasm") },
    ],
  },
  define: { __BUILT_MS__: `${builtAt_ms()}` },
  plugins: [policyTag, browserOnly(), exerciseFiles(inRoot("exercises"))],
  worker: { format: "es", plugins: () => [browserOnly()] },
  build: {
    outDir: inRoot("build/site"),
    emptyOutDir: true,
    target: "es2022",
    // An inlined file would be a data: address, which the policy refuses for scripts and styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: [inRoot("web/page/index.html"), inRoot("web/page/lesson.html")],
    },
  },
  test: {
    projects: [
      {
        extends: true,
        test: { name: "web", root: inRoot("."), include: ["tests/web/**/*.test.ts"] },
      },
      {
        extends: true,
        test: {
          name: "browser",
          root: inRoot("."),
          include: ["tests/browser/**/*.test.ts"],
          // Three browsers and their workers at once would fight for the processors.
          fileParallelism: false,
          // Limits of a hang, not of speed.
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
