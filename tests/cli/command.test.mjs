// The `lockstep` command as scripts and people use it: spellings, exit status, where messages go.
// Run: node --test tests/cli/ (LOCKSTEP names another command than build/bin/lockstep)
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const command = process.env.LOCKSTEP ?? join(root, "build/bin/lockstep");
const lesson = "exercises/using-many-devices";

/** Runs the command with words split at blanks (or given as a list) and reads all it wrote. */
function lockstep(words, input = "") {
  const list = typeof words === "string" ? words.split(" ") : words;
  const { status, stdout, stderr } = spawnSync(command, list, {
    cwd: root,
    input,
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

/** What PyTorch makes of some schedules. */
function csvCases() {
  const text = readFileSync(join(root, "tests/data/pytorch-csv.jsonl"), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

function grade(question, answer, ...more) {
  const words = ["grade", lesson, "--question", question, "--answer", answer, "--json", ...more];
  const { status, stdout } = lockstep(words);
  return { status, ...JSON.parse(stdout) };
}

test("every command has help with its options and examples", () => {
  const { stdout } = lockstep("--help");
  const names = [...stdout.matchAll(/^ {2}([a-z]+) /gm)].map((match) => match[1]);
  assert.deepEqual(names.filter((name) => name !== "lockstep").sort(), [
    "check",
    "collective",
    "compute",
    "grade",
    "run",
    "schedule",
    "show",
    "validate",
    "worksheet",
  ]);
  for (const name of names) {
    const help = lockstep([name, "--help"]);
    assert.equal(help.status, 0);
    assert.match(help.stdout, new RegExp(`Usage: lockstep ${name}[^]*Options[^]*Examples`));
  }
});

test("the version is printed, and without a command the help is, as bad use", () => {
  assert.match(lockstep("--version").stdout, /^lockstep \d+\.\d+\.\d+\n$/);
  const bare = lockstep([]);
  assert.equal(bare.status, 2);
  assert.match(bare.stdout, /Usage: lockstep COMMAND/);
});

const badUse = [
  ["shedule gpipe", /no command "shedule" \(did you mean "schedule"\?\)/],
  ["schedule gpipe --stages 4", /--microbatches.*needed/],
  ["schedule gpipe --stages 4 --microbatches", /needs a value/],
  ["schedule gpipe --stages 0 --microbatches 4", /--stages.*from 1 to 64/],
  ["schedule gpipe --stages 4.5 --microbatches 4", /--stages.*whole number/],
  ["schedule gpipe --stages 4 --microbatches 4 --stages 4", /given twice/],
  ["schedule gpipe --stages 4 --microbatches 4 --format png", /not one of grid csv json svg/],
  ["schedule gpipe --stages 4 --microbatches 4 --forward fast", /--forward: a number is needed/],
  ["schedule gpipe --stages 4 --microbatches 4 --forward -1", /negative|at least 0/],
  ["schedule gpipe --stages 4 --microbatches 4 --forward 1/0", /--forward/],
  ["schedule gpipe --stages 4 --microbatches 4 --forward 1,2", /2 stages for a program of 4/],
  ["schedule gpipe --stages 2 --microbatches 4 --link 0-9:latency=1", /link 0 to 9.*no such pair/],
  ["schedule gpipe --stages 2 --microbatches 4 --link 0-1:latncy=1", /did you mean "latency"/],
  ["schedule gpipe --stages 2 --microbatches 4 --weights 1/2", /--weights: .*whole number/],
  ["schedule --stages 4 --microbatches 4", /name is needed, or --search/],
  ["schedule gpipe --microbatches 4", /--stages: .*needed/],
  ["schedule gpipe --stages 2 --microbatches 4 --old", /--old: .*for --from/],
  ["schedule gpipe --from mine.csv", /gpipe: --from takes no schedule's name/],
  ["schedule --from mine.csv --stages 4", /--stages: the file says it/],
  ["schedule --from no/such/file", /cannot be read/],
  ["schedule gpipe --stages 4 --microbatches 4 --memory 3", /--memory: .*for --search/],
  ["schedule gpipe --search --stages 3 --microbatches 4", /gpipe: .*takes no schedule's name/],
  ["schedule --search --stages 9 --microbatches 4", /--stages.*from 1 to 8/],
  ["schedule --search --stages 3 --microbatches 4 --memory 0", /--memory.*from 1/],
  ["schedule --search --stages 3 --microbatches 4 --chunks 2", /--chunks: .*one chunk/],
  ["schedule --search --stages 3 --microbatches 4 --bandwidth 2", /give latencies alone/],
  ["schedule gpip --stages 4 --microbatches 4", /did you mean "gpipe"/],
  ["schedule gpipe extra --stages 4 --microbatches 4", /extra.*too many/],
  ["schedule gpipe --stage 4 --microbatches 4", /no option --stage \(did you mean "--stages"\?\)/],
  ["run --devices 0", /devices.*1.*16/],
  ["run --devices 17", /devices.*1.*16/],
  ["run --devices 3", /rows|divisible|equal/],
  ["run --strategy pipeline_parallel --stages 3", /layers/],
  ["compute share total=H10.bf16 parts=1", /total: there is no accelerator called "H10" \(did you/],
  ["compute share total=H100.bf61 parts=1", /no figure.*"bf61" \(did you mean "bf16"/],
  ["compute share total=V100.int8 parts=1", /its maker gives no such figure/],
  ["collective ring", /no collective called "ring"/],
  ["collective ring_all_reduce --devices 17", /--devices.*from 1 to 16/],
  ["collective ring_all_reduce --bandwidth 0", /--bandwidth: a bandwidth is more than 0/],
  ["collective ring_all_reduce --latency -1", /at least 0/],
  ["collective", /a name is needed/],
  ["run --collective ring_all_gather", /is no all-reduce/],
  ["run --strategy pipeline_parallel --collective rabenseifner", /for the strategy data_parallel/],
  ["run --strategy pipeline_parallel --schedule gpipes", /did you mean "gpipe"/],
  ["run --strategy data_paralel", /did you mean "data_parallel"/],
  ["run --precision float16", /not one of float64 float32/],
  ["run --strategy pipeline_parallel --devices 4", /--devices.*is for the strategy data_parallel/],
  ["run --stages 4", /--stages.*is for the strategy pipeline_parallel/],
  ["run --widths 16,,4", /whole numbers with commas/],
  ["run --seed -1", /--seed/],
  ["run --faults -1", /--faults.*whole number from 0/],
  ["compute", /--list/],
  ["compute pipeline_bubbel stages=4", /did you mean "pipeline_bubble"/],
  ["compute pipeline_bubble stages=4", /microbatches/],
  ["compute pipeline_bubble stages=4 microbatches=8 stages=4", /twice/],
  ["compute pipeline_bubble stages=4 microbatches=0", /microbatches/],
  ["compute data_parallel_grad w=[1] X=[[1],[2],[3]] y=[1,1,1] devices=2", /divi|even/],
  ["compute data_parallel_grad w=[1] X=[[1],[nan]] y=[1,1] devices=2", /X\[1\]\[0\]/],
  ["compute allreduce_mean grads=[[1,2],[3]]", /device 1/],
  ["show no/such/lesson", /no\/such\/lesson: .*cannot be read/],
  [`grade ${lesson} --question no-such --answer 1`, /no-such/],
  [`show ${lesson} --locale xx`, /no locale "xx"/],
  [`show ${lesson} --seed 4294967296`, /--seed/],
  ["check no/such/folder", /no such file/],
  ["validate no/such/file", /cannot be read/],
  [`worksheet ${lesson} --paper a5 -o -`, /not one of a4 letter/],
];
for (const [words, message] of badUse) {
  test(`bad use is told from bad content: lockstep ${words}`, () => {
    const { status, stdout, stderr } = lockstep(words);
    assert.equal(status, 2, stdout + stderr);
    assert.equal(stdout, "");
    assert.match(stderr, message);
  });
}

test("with --json an error is an object on standard output", () => {
  const { status, stdout } = lockstep("run --devices 17 --json");
  assert.equal(status, 2);
  const { error } = JSON.parse(stdout);
  assert.equal(error.code, "out_of_range");
  assert.equal(error.where, "devices");
});

test("the grid of 1F1B on 4 stages and 8 microbatches: bubble 3/11, peaks 4, 3, 2, 1", () => {
  const { status, stdout } = lockstep("schedule one_f_one_b --stages 4 --microbatches 8");
  assert.equal(status, 0);
  assert.match(stdout, /3\/11 = 0\.273 of the total/);
  assert.match(stdout, /3\/8 = 0\.375 of the ideal/);
  assert.match(stdout, /in flight at most[^:]*: 4, 3, 2, 1\n/);
});

for (const format of ["grid", "csv"]) {
  test(`what schedule writes as ${format}, validate reads and finds valid`, () => {
    for (const name of ["gpipe", "1F1B"]) {
      const shape = `${name} --stages 3 --microbatches 5 --format ${format}`;
      const { stdout } = lockstep(`schedule ${shape}`);
      const validated = lockstep("validate -", stdout);
      assert.equal(validated.status, 0, validated.stdout + validated.stderr);
      assert.match(validated.stdout, /^valid: schedule with 3 devices, 5 microbatches, 30 actions/);
    }
  });
}

test("published figures of accelerators are listed, and are values of formulas", () => {
  assert.match(lockstep("compute --hardware").stdout, /H100\.memory = 80000000000 bytes/);
  const listed = JSON.parse(lockstep("compute --hardware --json").stdout).accelerators;
  for (const name of ["A100", "H100", "H200", "B200", "V100", "TPUv4", "TPUv5e", "TPUv5p"]) {
    assert.ok(listed.some((chip) => chip.name === name && chip.source !== ""));
  }
  const { stdout } = lockstep("compute arithmetic_intensity peak=A100.bf16 bandwidth=10");
  assert.match(stdout, /^31200000000000 FLOP\/byte/);
});

test("a collective is timed, and its rounds tell whose parts are where", () => {
  const ring = lockstep("collective ring_all_reduce --devices 3 --bytes 30 --latency 1 --rounds");
  assert.equal(ring.status, 0);
  assert.match(ring.stdout, /sent by the busiest device +4\/3·S = 40 bytes/);
  assert.match(ring.stdout, /simulated time +44 = 4·α \+ 4\/3·S\/bandwidth/);
  assert.match(ring.stdout, /round 3\n {2}device 0: {2}0\+1\+2 {2}0\+1\+2 {2}0\+1\+2\n/);
  const listed = JSON.parse(lockstep("collective --list --json").stdout).collectives;
  for (const { name } of listed) {
    const { stdout } = lockstep(`collective ${name} --devices 5 --json`);
    assert.equal(JSON.parse(stdout).collective, name);
  }
});

test("a run may take any all-reduce, and says which another collective is not", () => {
  for (const name of ["rabenseifner", "double_binary_tree", "central_all_reduce"]) {
    const { status, stdout } = lockstep(`run --devices 3 --rows 6 --collective ${name}`);
    assert.equal(status, 0);
    assert.match(stdout, /the gradient is that of a single device/);
  }
});

for (const form of ["csv-comms", "csv-sharded"]) {
  test(`${form} is PyTorch's schedule with its communication, valid in both dialects`, () => {
    const zbv = "schedule zbv --stages 3 --microbatches 6 --format";
    const { stdout } = lockstep(`${zbv} ${form}`);
    const line = csvCases().find(({ schedule, p }) => schedule === "zbv" && p === 3);
    const known = form === "csv-comms" ? line.compute_comms : line.compute_comms_sharded;
    assert.equal(stdout, `${known.join("\n")}\n`);
    const valid = lockstep("validate -", stdout);
    assert.equal(valid.status, 0, valid.stdout);
    assert.match(valid.stdout, /^valid: .* 108 actions, \d+ of communication/);
    const old = lockstep(`${zbv} ${form}-old`).stdout;
    assert.equal(lockstep("validate - --old", old).status, 0);
    assert.equal(lockstep("validate -", old).status, 1);
  });
}

test("a schedule from a file is put into every other form", () => {
  const shape = "schedule 1F1B --stages 2 --microbatches 3 --format";
  const csv = lockstep(`${shape} csv`).stdout;
  for (const form of ["grid", "csv", "csv-comms", "csv-sharded"]) {
    const { stdout } = lockstep(`${shape} ${form}`);
    assert.equal(lockstep("schedule --from - --format csv", stdout).stdout, csv);
  }
  for (const form of ["csv-old", "csv-comms-old", "csv-sharded-old"]) {
    const { stdout } = lockstep(`${shape} ${form}`);
    assert.match(stdout, /0BW2/);
    assert.equal(lockstep("schedule --from - --old --format csv", stdout).stdout, csv);
  }
});

test("a fault in a schedule with communication is told at its place", () => {
  const faulty = lockstep("validate -", "0F0,0SEND_F0,0RECV_B0,0B0\n1F0,1B0,1SEND_B0\n");
  assert.equal(faulty.status, 1);
  assert.match(faulty.stdout, /^line 1, column 5: 0SEND_F0 has no 1RECV_F0 on rank 1\.\n1 fault/);
  const unknown = lockstep("schedule --from -", "0F0,0SENDF0\n1F0\n");
  assert.equal(unknown.status, 1);
  assert.match(unknown.stderr, /-: line 1, column 5: .*Did you mean 0SEND_F0\?/);
  const deadlock = lockstep("schedule --from -", "0F0 0B0 0F1 0B1\n1F1 1B1 1F0 1B0\n");
  assert.equal(deadlock.status, 1);
  assert.match(deadlock.stderr, /waits for .*lists every fault/);
});

test("a trace has each cell with its simulated time, and each message as a flow", () => {
  const { stdout } = lockstep("schedule gpipe --stages 2 --microbatches 1 --format trace");
  const { traceEvents, otherData } = JSON.parse(stdout);
  assert.deepEqual(otherData, { schedule: "gpipe", makespan: "6" });
  const cells = traceEvents.filter(({ ph }) => ph === "X");
  assert.deepEqual(
    cells.map(({ name, tid, ts, dur }) => [name, tid, ts, dur]),
    [
      ["0F0", 0, 0, 1],
      ["0B0", 0, 4, 2],
      ["1F0", 1, 1, 1],
      ["1B0", 1, 2, 2],
    ],
  );
  assert.equal(traceEvents.filter(({ ph }) => ph === "s").length, 2);
});

test("a schedule in a V needs no --chunks, and what others say of a shape is a remark", () => {
  const zbv = lockstep("schedule zbv --stages 4 --microbatches 8");
  assert.equal(zbv.status, 0, zbv.stderr);
  assert.match(zbv.stdout, /8 stages on 4 devices/);
  const interleaved = lockstep("schedule Interleaved1F1B --stages 4 --microbatches 6");
  assert.match(interleaved.stdout, /^# Megatron's condition is broken: 4 ranks do not divide 6/m);
});

test("stages, links and bytes may be unlike each other", () => {
  // forward 1+2+1 and 1 more for the second microbatch's wait at stage 1, twice that back, links 3
  const uneven =
    "schedule gpipe --stages 3 --microbatches 2 --forward 1,2,1 --backward-input 1,2,1";
  const rest = " --backward-weight 1,2,1 --latency 1/2 --link 0-1:latency=1,2-1:latency=1";
  const { stdout } = lockstep(`${uneven}${rest} --weights 8 --activations 1,2,3`);
  assert.match(stdout, /simulated time in all: 21\n/);
  assert.match(stdout, /device 2 {3}weights 8 \+ gradients 0 \+ optimizer 0 \+ activations 6 = 14/);
});

test("the shortest order under a memory cap is found, proven and valid", () => {
  // one after the other is all that memory for one allows: 4 · 3 · (1 + 2)
  const search = "schedule --search --stages 3 --microbatches 4 --whole --memory";
  const one = lockstep(`${search} 1`);
  assert.equal(one.status, 0, one.stderr);
  assert.match(one.stdout, /# proven: no order that keeps to the limits is shorter/);
  assert.match(one.stdout, /simulated time in all: 36\n/);
  assert.equal(lockstep("validate - --memory 1 --trains", one.stdout).status, 0);
  assert.match(lockstep(`${search} 3`).stdout, /simulated time in all: 18\n/);
  const hard = "schedule --search --stages 6 --microbatches 10 --memory 5 --forward 1,3,2,4,1,2";
  const cut = lockstep(`${hard} --nodes 100`);
  assert.equal(cut.status, 0);
  const { search: how } = JSON.parse(lockstep(`${hard} --nodes 100 --json`).stdout);
  assert.equal(how.end, "node_limit");
  assert.equal(how.nodes, 100);
  assert.match(cut.stdout, /# not proven: the shortest takes between \d+ and \d+ \(100 begin/);
});

test("no order takes less than the least time, which 1F1B takes", () => {
  const shown = lockstep("schedule 1F1B --stages 4 --microbatches 8");
  assert.match(shown.stdout, /# no order of this work takes less than 33, whatever the memory\n/);
  const { least_time } = JSON.parse(
    lockstep("schedule 1F1B --stages 4 --microbatches 8 --json").stdout,
  );
  assert.equal(least_time, "33");
});

test("a pair that overlaps may take its own time", () => {
  // (p/2 − 1)(FB + B − 3W) = 5/2 + 2 − 3 for p = 4: the bubble of every rank
  const pair = "schedule dualpipe --stages 4 --microbatches 8 --overlap 5/2";
  const { devices, makespan, least_time } = JSON.parse(lockstep(`${pair} --json`).stdout);
  assert.equal(makespan, "24");
  assert.equal(devices[0].busy, "45/2");
  assert.equal(least_time, undefined);
});

test("what cannot train is shown with its reason, and a run refuses it", () => {
  const shown = lockstep("schedule forward_only --stages 4 --microbatches 8");
  assert.match(shown.stdout, /^# devices cannot train by it: /m);
  assert.equal(lockstep("validate -", shown.stdout).status, 0);
  for (const strategy of ["pipeline_parallel", "parallel_3d"]) {
    const run = lockstep(`run --strategy ${strategy} --schedule forward_only`);
    assert.equal(run.status, 2);
    assert.match(run.stderr, /cannot train by forward_only: it has no backward/);
  }
});

test("DualPipe's two directions add up to the gradient of one device", () => {
  const shown = lockstep("schedule dualpipe --stages 4 --microbatches 8");
  assert.equal(lockstep("validate -", shown.stdout).status, 0);
  const run = lockstep("run --strategy pipeline_parallel --schedule dualpipe --stages 4");
  assert.equal(run.status, 0, run.stdout + run.stderr);
  const product = "run --strategy parallel_3d --schedule dualpipe --stages 2 --data 2 --tensor 2";
  assert.equal(lockstep(`${product} --microbatches 4`).status, 0);
});

test("every fault of a schedule is listed, and a deadlock is spelled out", () => {
  const faulty = lockstep("validate -", "rank 0: 0B0 0F0\nrank 1: 1F0 1F0 1B0\n");
  assert.equal(faulty.status, 1);
  assert.ok(faulty.stdout.trim().split("\n").length >= 3, faulty.stdout);
  const deadlock = lockstep("validate -", "0F0 0B0 0F1 0B1\n1F1 1B1 1F0 1B0\n");
  assert.equal(deadlock.status, 1);
  assert.match(deadlock.stdout, /waits for/);
});

test("a memory cap and a demand to train are checked where they are asked for", () => {
  const gpipe = lockstep("schedule gpipe --stages 2 --microbatches 4").stdout;
  assert.equal(lockstep("validate - --memory 4", gpipe).status, 0);
  const over = lockstep("validate - --memory 3", gpipe);
  assert.equal(over.status, 1);
  assert.match(over.stdout, /rank 1, action 3: 1F3 is the activation number 4 in flight on rank 1/);
  const zb = lockstep("schedule zb_h1 --stages 3 --microbatches 6").stdout;
  assert.equal(lockstep("validate - --memory 2 --freed-at input", zb).status, 1);
  const forward = "0F0 0F1\n1F0 1F1\n";
  assert.equal(lockstep("validate -", forward).status, 0);
  assert.match(lockstep("validate - --trains", forward).stdout, /0B0 is missing/);
});

test("a token nobody knows is wrong content, with its line and column", () => {
  const { status, stderr } = lockstep("validate -", "0F0 0B0\n1F0 1X0\n");
  assert.equal(status, 1);
  assert.match(stderr, /line 2, column 5/);
});

test("a data-parallel gradient is within its bound, a pipeline has the very same bits", () => {
  const data = JSON.parse(lockstep("run --devices 4 --seed 1 --json").stdout);
  assert.match(JSON.stringify(data), /"hash":"[0-9a-f]{16}"/);
  const pipeline = "--strategy pipeline_parallel --schedule one_f_one_b";
  const { status, stdout } = lockstep(`run ${pipeline} --stages 4 --microbatches 8`);
  assert.equal(status, 0);
  assert.match(stdout, /bit-equal +yes/);
  assert.match(stdout, /the gradient is that of a single device/);
});

test("unequal shares are refused, and weighted they give the gradient of the batch", () => {
  assert.equal(lockstep("run --devices 3 --rows 64").status, 2);
  const weighted = lockstep("run --devices 3 --rows 64 --weighted");
  assert.equal(weighted.status, 0, weighted.stderr);
});

test("formulas are exact, and the lesson's functions take lists", () => {
  assert.equal(
    lockstep("compute pipeline_bubble stages=4 microbatches=8").stdout,
    "3/11 = 0.273\n",
  );
  assert.match(lockstep("compute training_flops params=1e6 tokens=1e8").stdout, /^6(e14|0{14})/);
  const mean = lockstep("compute allreduce_mean grads=[[1,2],[2,4]]");
  assert.equal(mean.stdout, "[1.5, 3]\n");
});

const seedZero = [
  ["global-tokens", "256", "correct"],
  ["real-speedup", "6.667", "correct"],
  ["pipeline-bubble", "0.273", "correct"],
];
for (const [question, answer, kind] of seedZero) {
  test(`with the source's numbers ${answer} is ${kind} for ${question}`, () => {
    const verdict = grade(question, answer);
    assert.equal(verdict.kind, kind);
    assert.equal(verdict.status, 0);
  });
}

test("the foreseen wrong answers get a message each, and exit with 1", () => {
  const wrong = [
    ["global-tokens", "64"],
    ["real-speedup", "8"],
    ["real-speedup", "10"],
    ["pipeline-bubble", "0.375"],
    ["pipeline-bubble", "0.727"],
    ["pipeline-bubble", "0.272"],
    ["pipeline-bubble", "27.3"],
  ].map(([question, answer]) => ({ question, answer, ...grade(question, answer) }));
  for (const verdict of wrong) {
    assert.equal(verdict.status, 1);
    assert.equal(verdict.kind, "incorrect", JSON.stringify(verdict));
    assert.notEqual(verdict.code, "incorrect", `no message of its own: ${JSON.stringify(verdict)}`);
  }
  assert.equal(new Set(wrong.map(({ message }) => message)).size, wrong.length);
});

test("shown questions hold no key, and --json names them", () => {
  const { stdout } = lockstep(`show ${lesson} --seed 7 --json`);
  const { questions } = JSON.parse(stdout);
  assert.ok(questions.length >= 3);
  for (const question of questions) assert.ok(!("key" in question) && !("solution" in question));
});

test("an unreadable lesson is wrong content, every fault with its line and column", () => {
  const folder = mkdtempSync(join(tmpdir(), "lockstep-"));
  writeFileSync(join(folder, "lesson.json"), '{"format": 1,\n "titel": "x"}\n');
  const shown = lockstep(["show", folder]);
  assert.equal(shown.status, 1);
  assert.match(shown.stderr, /lesson\.json:2:2: .*titel/);
  assert.equal(lockstep(["check", folder]).status, 1);
});

test("a worksheet is one file, the same bytes every time", () => {
  const folder = mkdtempSync(join(tmpdir(), "lockstep-"));
  const file = join(folder, "sheet.html");
  assert.equal(lockstep(["worksheet", lesson, "--seed", "7", "-o", file]).status, 0);
  const again = lockstep(["worksheet", lesson, "--seed", "7", "-o", "-"]);
  assert.equal(readFileSync(file, "utf8"), again.stdout);
  assert.match(again.stdout, /^<!doctype html>/i);
  assert.doesNotMatch(again.stdout, /<script|https?:\/\/[^"]*\.(js|css)/);
});

test("a file that cannot be written is said", () => {
  const { status, stderr } = lockstep(["worksheet", lesson, "-o", "/no/such/folder/sheet.html"]);
  assert.equal(status, 2);
  assert.match(stderr, /cannot be written/);
});

test("a run with faults is replayed by its seed, and has the same bits or names a device", () => {
  const outcomes = new Set();
  for (let seed = 0; seed < 20; seed++) {
    const first = lockstep(`run --devices 3 --rows 6 --faults ${seed} --json`);
    assert.equal(first.status, 0, first.stdout + first.stderr);
    assert.equal(lockstep(`run --devices 3 --rows 6 --faults ${seed} --json`).stdout, first.stdout);
    const { outcome, error, faults } = JSON.parse(first.stdout);
    outcomes.add(outcome);
    if (error)
      assert.ok(
        faults.some((fault) => fault.device === error.device),
        first.stdout,
      );
  }
  assert.deepEqual([...outcomes].sort(), ["error", "right"]);
});
