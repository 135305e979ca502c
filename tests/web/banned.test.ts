// Ways for text to become markup or code, or a message to reach anyone: banned from the site.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const web = path.join(import.meta.dirname, "../../web");

const banned: readonly (readonly [string, RegExp])[] = [
  ["innerHTML and outerHTML", /\b(inner|outer)HTML\b/],
  ["insertAdjacentHTML", /\binsertAdjacentHTML\b/],
  ["setHTML and its kin", /\b(setHTML|setHTMLUnsafe|parseHTMLUnsafe|createContextualFragment)\b/],
  ["document.write", /\bdocument\s*\.\s*writel?n?\b/],
  ["parsing of HTML", /\bDOMParser\b|\bsrcdoc\b/],
  ["Lit's way to unsafe markup", /\bunsafe(HTML|SVG|MathML|Static|CSS)\b/],
  ["eval and Function", /\beval\s*\(|\bnew\s+Function\b|\bFunction\s*\(/],
  ["timers given text", /\bset(Timeout|Interval)\s*\(\s*["'`]/],
  ["the target origin '*'", /postMessage\s*\([^)]*,\s*["'`]\*["'`]/],
  ["SharedArrayBuffer", /\bSharedArrayBuffer\b/],
  ["inline styles", /\sstyle\s*=\s*["'`$]|\.style\s*\.\s*cssText|setAttribute\(\s*["'`]style/],
  ["another Trusted Types policy", /\bcreatePolicy\b/],
];
/** Where one of them may stand, and why it must. */
const allowed: ReadonlySet<string> = new Set([
  "trust/script-url.ts: another Trusted Types policy", // the one policy itself
  "trust/frame.ts: the target origin '*'", // a frame of an opaque origin hears nothing else
]);

const sources = readdirSync(web, { recursive: true, encoding: "utf8" })
  .filter((name) => /\.(ts|mjs|html|css)$/.test(name))
  .map((name) => ({ name, text: readFileSync(path.join(web, name), "utf8") }));

describe("the source of the site", () => {
  it.each(banned)("has no %s", (what, pattern) => {
    const found = sources.flatMap(({ name, text }) =>
      text
        .split("\n")
        .flatMap((line, index) => (pattern.test(line) ? [`${name}:${index + 1}: ${line}`] : [])),
    );
    const faults = found.filter((fault) => !allowed.has(`${fault.split(":")[0]}: ${what}`));
    expect(faults).toEqual([]);
  });

  it("makes workers in one place only", () => {
    const makers = sources.filter(({ text }) => /\bnew\s+(Shared)?Worker\b/.test(text));
    expect(makers.map(({ name }) => name)).toEqual(["trust/worker.ts"]);
  });

  it("opens windows in one place only", () => {
    const openers = sources.filter(({ text }) => /\b(window|globalThis|self)\.open\(/.test(text));
    expect(openers.map(({ name }) => name)).toEqual(["print/print-window.ts"]);
  });

  it("makes frames in one place only", () => {
    const makers = sources.filter(({ text }) => /<iframe\b|createElement\("iframe"\)/.test(text));
    expect(makers.map(({ name }) => name)).toEqual(["trust/frame.ts"]);
  });

  it("has worker entries of at most 30 lines", () => {
    const entries = sources.filter(({ name }) => name.endsWith("-worker.ts"));
    expect(entries.length).toBeGreaterThan(0);
    for (const { name, text } of entries) {
      expect(text.trimEnd().split("\n").length, name).toBeLessThanOrEqual(30);
    }
  });

  it("is caught by these patterns when it sins", () => {
    const sins = [
      "node.innerHTML = text",
      "node.insertAdjacentHTML('beforeend', text)",
      "document.write(text)",
      "parent.postMessage(score, '*')",
      "eval(text)",
      "setTimeout('run()', 10)",
      "new DOMParser()",
    ];
    for (const sin of sins)
      expect(
        banned.some(([, pattern]) => pattern.test(sin)),
        sin,
      ).toBe(true);
  });
});
