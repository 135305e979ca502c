// Rules of the source tree, as ordinary tests: who may include whom, what is banned where, how
// long a line and a function may be. Run: node tests/architecture/check.mjs [ROOT]
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = process.argv[2] ?? join(dirname(fileURLToPath(import.meta.url)), "../..");
const kMaxLineLength = 100;
const kMaxFunctionLines = 70;

/** Every file below `folder` whose name ends in one of `endings`, with its text. */
function sources(folder, endings) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sources(path, endings);
    if (!endings.some((ending) => entry.name.endsWith(ending))) return [];
    return [{ path, folder: path.split("/")[1], text: readFileSync(join(root, path), "utf8") }];
  });
}

/** The folders that each folder of engine/ may include: what engine/CMakeLists.txt links, closed. */
function allowedIncludes() {
  const direct = new Map();
  const lists = readFileSync(join(root, "engine/CMakeLists.txt"), "utf8");
  for (const [, words] of lists.matchAll(/^\s*lockstep_folder\(([a-z][\w: ]*)\)/gm)) {
    const [folder, ...uses] = words.split(" ").filter((word) => !word.includes("::"));
    direct.set(folder, uses);
  }
  const everything = [...direct.keys()];
  direct.set("bindings", everything);
  direct.set("cli", everything);
  const reach = (folder, seen = new Set([folder])) => {
    for (const used of direct.get(folder) ?? []) {
      if (!seen.has(used)) reach(used, seen.add(used));
    }
    return seen;
  };
  return new Map([...direct.keys()].map((folder) => [folder, reach(folder)]));
}

/** Faults of `file` where `pattern` matches a line: "path:line: message". */
function matches(file, pattern, message) {
  return file.text
    .split("\n")
    .flatMap((line, index) =>
      pattern.test(line) ? [`${file.path}:${index + 1}: ${message}`] : [],
    );
}

function includeFaults(file, allowed) {
  return file.text.split("\n").flatMap((line, index) => {
    const used = /^#include "([a-z]+)\//.exec(line)?.[1];
    if (!used || allowed.get(file.folder)?.has(used)) return [];
    return [`${file.path}:${index + 1}: ${file.folder} may not include ${used}`];
  });
}

/** Functions start at the margin (or two columns in, inside a class) and end with a lone brace. */
function longFunctions(file) {
  const faults = [];
  let start = null;
  file.text.split("\n").forEach((line, index) => {
    const opening = /^( {0,2})\S.*\)( const)?( noexcept)?( ->.*)? \{$/.exec(line);
    if (opening && !start) start = { line: index, margin: opening[1] };
    if (start && line === `${start.margin}}`) {
      const length = index - start.line + 1;
      if (length > kMaxFunctionLines) {
        faults.push(`${file.path}:${start.line + 1}: function of ${length} lines`);
      }
      start = null;
    }
  });
  return faults;
}

const engine = sources("engine", [".h", ".cpp"]);
const cxx = [...engine, ...sources("tests", [".h", ".cpp"])];
const pure = engine.filter((file) => !["cli", "host", "bindings"].includes(file.folder));
const drivers = cxx.filter((file) => file.path.startsWith("tests/drivers/"));
const code = [
  ...cxx,
  ...sources("web", [".ts", ".mjs", ".css"]),
  ...sources("tests", [".ts", ".mjs"]),
];
const allowed = allowedIncludes();

const laws = [
  [
    "a folder of engine/ includes only the folders it is linked with",
    () => engine.flatMap((file) => includeFaults(file, allowed)),
  ],
  [
    "device and cost never include each other",
    () =>
      engine.flatMap((file) =>
        file.folder === "device"
          ? matches(file, /"cost\//, "device includes cost")
          : file.folder === "cost"
            ? matches(file, /"device\//, "cost includes device")
            : [],
      ),
  ],
  [
    "only engine/json includes nlohmann/json",
    () =>
      engine
        .filter((file) => file.folder !== "json")
        .flatMap((file) =>
          matches(file, /#include [<"]nlohmann/, "nlohmann/json belongs in engine/json"),
        ),
  ],
  [
    "only engine/bindings includes Emscripten",
    () =>
      engine
        .filter((file) => file.folder !== "bindings")
        .flatMap((file) =>
          matches(file, /#include [<"]emscripten/, "Emscripten belongs in engine/bindings"),
        ),
  ],
  [
    "the engine has no clock, thread, stream, regular expression or library randomness",
    () =>
      pure.flatMap((file) =>
        matches(
          file,
          /#include <(chrono|thread|mutex|condition_variable|future|iostream|fstream|sstream|regex|random|ctime|locale)>/,
          "not below the edge",
        ),
      ),
  ],
  [
    "the engine calls no elementary function of the C library but sqrt",
    () =>
      engine.flatMap((file) =>
        matches(
          file,
          /std::(exp|exp2|expm1|log|log2|log10|log1p|tanh|sinh|cosh|erf|erfc|pow|sin|cos|tan|atan|atan2|cbrt|hypot|fma)f?\(/,
          "use core/math.h: the library's last bit differs between platforms",
        ),
      ),
  ],
  [
    "case drivers hold no logic: no standard arithmetic beyond the public API",
    () =>
      drivers.flatMap((file) =>
        matches(
          file,
          /#include <(cmath|numeric|complex)>/,
          "a driver maps a case to the engine, it computes nothing",
        ),
      ),
  ],
  [
    `no line is longer than ${kMaxLineLength} columns`,
    () =>
      code
        .filter((file) => file.folder !== "architecture")
        .flatMap((file) =>
          matches(file, new RegExp(`^.{${kMaxLineLength + 1},}`, "u"), "line too long"),
        ),
  ],
  [`no C++ function is longer than ${kMaxFunctionLines} lines`, () => cxx.flatMap(longFunctions)],
  [
    "no work is left behind in a comment",
    () =>
      code
        .filter((file) => file.folder !== "architecture")
        .flatMap((file) => matches(file, /\b(TODO|FIXME|XXX|HACK)\b/, "finish it or drop it")),
  ],
  [
    "no test is skipped, focused or allowed to fail",
    () =>
      code
        .filter((file) => file.path.startsWith("tests/") && file.folder !== "architecture")
        .flatMap((file) =>
          matches(
            file,
            /\.(skip|only|todo|fails)\(|\[!(mayfail|shouldfail)\]|\[\.\]/,
            "every test counts",
          ),
        ),
  ],
];

let failed = 0;
for (const [claim, check] of laws) {
  const faults = check();
  if (faults.length === 0) continue;
  failed += 1;
  console.log(`failed: ${claim}\n${faults.map((fault) => `  ${fault}`).join("\n")}`);
}
console.log(`${laws.length - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
