// Runs on real devices, in a lesson page and in the three browser engines.

import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Browser, engines, launch } from "./support/browser";
import { type Additions, type Site, servePlainly, serveSite } from "./support/site";
import { waitUntil } from "./support/wait";

const root = path.join(import.meta.dirname, "../..");

/** What `lockstep run` prints of its defaults: 4 devices, and 1F1B on 4 stages. */
const hashOfFour = "4e203dcfce6b58a8";
const hashOfPipeline = "f6afb0f541fe6d4e";
/** And of the twentieth step of a transformer on 2 × 2 × 2 devices (tests/golden). */
const hashOfProduct = "cd5bfb5cad279f64";

const lessonPage = "lesson.html?lesson=using-many-devices";
const lessonState = 'document.querySelector("lockstep-lesson")?.dataset.state';

/** Expressions about one experiment of the page. */
function experiment(index: number) {
  const element = `document.querySelectorAll("lockstep-experiment")[${index}]`;
  const inside = (selector: string) =>
    `${element}.shadowRoot.querySelector(${JSON.stringify(selector)})`;
  return {
    element,
    inside,
    state: `${element}.dataset.state`,
    hash: `${element}.dataset.gradientHash`,
    text: (selector: string) => `${inside(selector)}.textContent.replace(/\\s+/g, " ").trim()`,
    /** How many forwards and backwards each of its pictures has. */
    cells: `[...${element}.shadowRoot.querySelectorAll("lockstep-timeline")].map((picture) =>
      picture.shadowRoot.querySelectorAll(".cell.forward, .cell.backward").length)`,
    /** The texts in the frames of its code. */
    code: `[...${inside("lockstep-experiment-code")}.shadowRoot.querySelectorAll("pre")]
      .map((each) => each.textContent)`,
  };
}
const dataParallel = experiment(0);
const pipeline = experiment(1);
const product = experiment(2);
type Shown = typeof dataParallel;

/**
 * Notes every worker that a page starts and ends; refuses to start the one called `refused`; and
 * lets a test tamper with what the page posts: `tamper(message, rank, worker)` gives the message to
 * post instead, or nothing to post none.
 */
const workerWatch = `
  globalThis.started = [];
  globalThis.ended = new Set();
  globalThis.tamper = (message) => message;
  globalThis.refused = "";
  globalThis.Worker = class extends Worker {
    constructor(address, options) {
      if (options.name === refused) throw new Error("too many workers");
      super(address, options);
    }
  };
  const { postMessage, terminate } = Worker.prototype;
  Worker.prototype.postMessage = function (message, transfer) {
    if (message.type === "prepare" && message.rank === 0) started = [];
    if (!started.includes(this)) started.push(this);
    const changed = tamper(message, started.indexOf(this), this);
    if (changed) postMessage.call(this, changed, transfer ?? []);
  };
  Worker.prototype.terminate = function () {
    ended.add(this);
    terminate.call(this);
  };`;
const watched: Additions = {
  files: { "/worker-watch.js": workerWatch },
  planted: '<script src="/worker-watch.js"></script>',
};
const allWorkersEnded = "started.length > 0 && started.every((worker) => ended.has(worker))";

/** Posts all but what makes device 3 run: then no ring and no pipeline ever ends. */
const withoutThree = `(message, rank) => message.type === "run" && rank === 3 ? null : message`;

/** Ends the worker that is posted a fitting message as soon as it says that it lives. */
const endWhenAlive = (fits: string) => `(message, rank, worker) => {
  if (${fits}) worker.addEventListener("message", ({ data }) => {
    if (data.type === "alive") worker.terminate();
  });
  return message;
}`;

describe.each(engines)("an experiment in $name", (engine) => {
  let browser: Browser;
  let site: Site;

  beforeAll(async () => {
    browser = await launch(engine);
  });
  afterAll(() => browser?.close());
  afterEach(() => site.close());

  async function open(served: Promise<Site>): Promise<void> {
    site = await served;
    await browser.open(site.address + lessonPage);
    await waitUntil(browser, `["ready", "failed"].includes(${lessonState})`);
  }

  const click = (control: string) => browser.evaluate(`${control}.click()`);
  const start = ({ inside }: Shown) => click(inside("button.primary"));

  async function run(shown: Shown): Promise<void> {
    await start(shown);
    await waitUntil(browser, `${shown.state} !== "running"`);
  }

  /** Moves a slider whose stops are the numbers from 1. */
  const choose = (slider: string, value: number) =>
    browser.evaluate(`(${slider}.value = ${value - 1},
      void ${slider}.dispatchEvent(new Event("input", { bubbles: true })))`);

  const tamper = (how: string) => browser.evaluate(`void (tamper = ${how})`);

  /** After whatever happened, all workers are gone and the same run gives what it should. */
  async function runsAgain(shown: Shown = dataParallel): Promise<void> {
    await tamper("(message) => message");
    await browser.evaluate('void (refused = "")');
    await run(shown);
    expect(await browser.evaluate(shown.hash)).toBe(
      shown === pipeline ? hashOfPipeline : hashOfFour,
    );
    expect(await browser.evaluate(allWorkersEnded)).toBe(true);
  }

  async function expectFailure({ state, text }: Shown, notice: RegExp): Promise<void> {
    expect(await browser.evaluate(state)).toBe("failed");
    expect(await browser.evaluate(text(".notice"))).toMatch(notice);
    expect(await browser.evaluate(allWorkersEnded)).toBe(true);
  }

  it("shows the hash that the command prints, under the policy, asking no other site", async () => {
    const { state, hash, text, cells } = dataParallel;
    await open(serveSite(watched));
    await run(dataParallel);
    expect(await browser.evaluate(state)).toBe("done");
    expect(await browser.evaluate(hash)).toBe(hashOfFour);
    expect(await browser.evaluate(text(".hash"))).toBe(hashOfFour);
    // Each of 4 devices does one forward and one backward, in both pictures.
    await waitUntil(browser, `${cells}.join() === "8,8"`);
    expect(await browser.evaluate("typeof SharedArrayBuffer")).toBe("undefined");
    expect(await browser.evaluate(allWorkersEnded)).toBe(true);
    const asked = await browser.evaluate<string[]>(
      'performance.getEntriesByType("resource").map(({ name }) => name)',
    );
    expect(asked.filter((address) => !address.startsWith(site.address))).toEqual([]);
    expect(site.violations).toEqual([]);
    expect(await browser.complaints()).toEqual([]);
  });

  it("runs from one to sixteen devices", async () => {
    const { inside, state } = dataParallel;
    await open(serveSite());
    for (const devices of [1, 16]) {
      await choose(inside("#devices"), devices);
      await run(dataParallel);
      expect(await browser.evaluate(state)).toBe("done");
      expect(await browser.evaluate(`${inside("tbody")}.children.length`)).toBe(devices);
    }
  });

  it("passes the microbatches through a pipeline, and is equal bit for bit", async () => {
    await open(serveSite(watched));
    await run(pipeline);
    expect(await browser.evaluate(pipeline.hash)).toBe(hashOfPipeline);
    expect(await browser.evaluate(pipeline.text(".verdict"))).toMatch(/Equal bit for bit yes/);
    // 4 stages do 8 forwards and 8 backwards each, in both pictures.
    await waitUntil(browser, `${pipeline.cells}.join() === "64,64"`);
    expect(site.violations).toEqual([]);
    expect(await browser.complaints()).toEqual([]);
  });

  it("trains a transformer on 2 × 2 × 2 workers, with the losses of one device", async () => {
    await open(serveSite(watched));
    await run(product);
    expect(await browser.evaluate(product.hash)).toBe(hashOfProduct);
    expect(await browser.evaluate("started.length")).toBe(9); // eight devices and the comparison
    const losses = await browser.evaluate<string[][]>(`
      [...${product.element}.shadowRoot.querySelectorAll(".losses tbody tr")]
        .map(({ cells }) => [...cells].slice(1).map((cell) => cell.textContent.trim()))`);
    expect(losses.length).toBe(20);
    for (const [devices, one] of losses) expect(devices).toBe(one);
    expect(await browser.evaluate(product.text(".verdict"))).toMatch(
      /The gradient is that of a single device.* rounding can bring/,
    );
    expect(site.violations).toEqual([]);
  });

  it("runs a larger model", async () => {
    await open(serveSite());
    await click(pipeline.inside("#large"));
    await run(pipeline);
    expect(await browser.evaluate(pipeline.text(".verdict"))).toMatch(/Equal bit for bit yes/);
    await waitUntil(browser, `${pipeline.cells}.join() === "64,64"`);
  });

  it("runs two experiments at once", async () => {
    await open(serveSite());
    await start(dataParallel);
    await start(pipeline);
    await waitUntil(browser, `${dataParallel.hash} === "${hashOfFour}"`);
    await waitUntil(browser, `${pipeline.hash} === "${hashOfPipeline}"`);
  });

  it("shows its own code: the program as it ran, and the engine's source", async () => {
    const source = (name: string) => readFileSync(path.join(root, name), "utf8");
    const program = (schedule: string) =>
      browser.evaluate<string>(`${pipeline.element}.running.engine.describeRun({
        strategy: "pipeline_parallel", schedule: "${schedule}", stages: 4, microbatches: 8
      }).value.program`);
    await open(serveSite());
    const details = `${pipeline.inside("lockstep-experiment-code")}.shadowRoot
      .querySelector("details")`;
    await browser.evaluate(`void (${details}.open = true)`);
    for (const schedule of ["one_f_one_b", "gpipe"]) {
      await browser.evaluate(`((select) => (select.value = "${schedule}",
        void select.dispatchEvent(new Event("change"))))(${pipeline.inside("select")})`);
      await run(pipeline);
      await waitUntil(
        browser,
        `${pipeline.code}.length === 4 &&
        ${pipeline.code}[1].includes("make_${schedule}(")`,
      );
      expect(await browser.evaluate(pipeline.code)).toEqual([
        await program(schedule),
        source(`engine/schedule/${schedule}.cpp`),
        source("engine/strategy/pipeline_parallel.cpp"),
        source("engine/schedule/lower.cpp"),
      ]);
    }
    expect(site.violations).toEqual([]);
  });

  it("says so when the engine's source cannot be loaded, and shows the program", async () => {
    await open(serveSite());
    await site.close();
    const code = `${dataParallel.inside("lockstep-experiment-code")}.shadowRoot`;
    await browser.evaluate(`void (${code}.querySelector("details").open = true)`);
    await waitUntil(browser, `${code}.querySelector("[role=alert]") !== null`);
    expect(await browser.evaluate(`${dataParallel.code}[0]`)).toMatch(/^program data_parallel\b/);
  });

  it("says at once why a choice is refused, and keeps the last run", async () => {
    const { inside, state, text } = dataParallel;
    await open(serveSite());
    await run(dataParallel);
    await choose(inside("#devices"), 3);
    await waitUntil(browser, `${inside(".notice")} !== null`);
    expect(await browser.evaluate(text(".notice"))).toMatch(
      /^64 rows cannot be shared equally by 3 devices.* Place: rows\./,
    );
    await start(dataParallel);
    expect(await browser.evaluate(state)).toBe("done");
    expect(await browser.evaluate(text(".hash"))).toBe(hashOfFour);
    await click(inside("#weighted"));
    await run(dataParallel);
    expect(await browser.evaluate(`${inside("tbody")}.children.length`)).toBe(3);
    expect(await browser.evaluate(text(".verdict"))).toMatch(/is that of a single device/);
  });

  // Device 3 starts late: until then nothing can end, so device 2 dies while it waits.
  const killTwo = `(message, rank, worker) => {
    if (message.type !== "run" || rank !== 3) return message;
    tamper = (later) => later;
    setTimeout(() => {
      started[2].terminate();
      worker.postMessage(message);
    }, 100);
  }`;
  // Where a worker has no lock to hold: the page is told of none.
  const killTwoWithoutLocks = `(message, rank, worker) => {
    if (message.type === "prepare") return { ...message, life: "-not allowed" };
    return (${killTwo})(message, rank, worker);
  }`;
  const gone = /^Device \d is gone: its worker was ended from outside/;
  it.each([
    ["is killed in the middle of a run, by the lock it held", dataParallel, killTwo, gone],
    ["is killed in a pipeline", pipeline, killTwo, gone],
    ["is killed, by its silence", dataParallel, killTwoWithoutLocks, gone],
    [
      "is killed while it starts",
      dataParallel,
      endWhenAlive('message.type === "prepare" && message.rank === 1'),
      gone,
    ],
    [
      "throws",
      dataParallel,
      "(message) => message.rank === 1 ? { ...message, module: null } : message",
      /^Device 1 stopped with an error/,
    ],
    [
      "throws in a pipeline",
      pipeline,
      "(message) => message.rank === 2 ? { ...message, module: null } : message",
      /^Device 2 stopped with an error/,
    ],
    [
      "checks the gradient and is killed",
      pipeline,
      endWhenAlive("message.outputs"),
      /^The gradient check is gone: its worker was ended from outside/,
    ],
  ])("names a worker that %s, and runs again", async (_, shown, how, notice) => {
    await open(serveSite(watched));
    await tamper(how);
    await run(shown);
    await expectFailure(shown, notice);
    await runsAgain(shown);
  });

  it("passes on what a device itself refuses", async () => {
    await open(serveSite(watched));
    await tamper(`(message) =>
      message.rank === 2 ? { ...message, config: { devices: 0 } } : message`);
    await run(dataParallel);
    await expectFailure(dataParallel, /^Devices is 0 and must be 1 to 16/);
    await runsAgain();
  });

  it("names a worker that the browser does not start, and runs again", async () => {
    await open(serveSite(watched));
    await browser.evaluate('void (refused = "device 2")');
    await run(dataParallel);
    await expectFailure(dataParallel, /^This browser starts no worker for device 2.*too many/);
    await runsAgain();
  });

  it("names a device whose script cannot be loaded", async () => {
    await open(serveSite(watched));
    await site.close();
    await run(dataParallel);
    await expectFailure(dataParallel, /^Device \d stopped with an error/);
  });

  it("names a device that does not start while it waits, and can be cancelled", async () => {
    const { inside, state, text } = dataParallel;
    await open(serveSite(watched));
    await tamper(`(message) => message.type === "prepare" && message.rank === 2 ? null : message`);
    await start(dataParallel);
    await waitUntil(browser, `/Device 2 has not started yet/.test(${text(".status")})`);
    await click(inside("button[type=button]"));
    await waitUntil(browser, `${state} === "cancelled"`);
    await runsAgain();
  });

  const isWorking = ({ inside }: Shown) => `${inside("tbody progress")}?.value > 0`;
  const isChecking = ({ inside }: Shown) => `${inside("progress.waiting")} !== null`;
  const withoutCheck = "(message) => message.outputs ? null : message";
  it.each([
    ["in the middle of a run", dataParallel, withoutThree, isWorking],
    ["in the middle of a pipeline", pipeline, withoutThree, isWorking],
    ["while the gradient is compared", pipeline, withoutCheck, isChecking],
  ])("cancels %s at once, and runs again", async (_, shown, how, isThere) => {
    await open(serveSite(watched));
    await tamper(how);
    await start(shown);
    await waitUntil(browser, isThere(shown));
    const ended = await browser.evaluate(
      `(${shown.inside("button[type=button]")}.click(), ${allWorkersEnded})`,
    );
    expect(ended).toBe(true);
    await waitUntil(browser, `${shown.state} === "cancelled"`);
    expect(await browser.evaluate(shown.text(".status"))).toMatch(/^Cancelled/);
    await runsAgain(shown);
  });

  it("leaves no worker when it is taken out of the page in the middle of a run", async () => {
    await open(serveSite(watched));
    await tamper(withoutThree);
    await start(dataParallel);
    await waitUntil(browser, isWorking(dataParallel));
    const ended = await browser.evaluate(`(${dataParallel.element}.remove(), ${allWorkersEnded})`);
    expect(ended).toBe(true);
  });

  it("has ended its run in a page that was left, which a browser may bring back", async () => {
    const { state } = dataParallel;
    await open(serveSite(watched));
    await tamper(withoutThree);
    await start(dataParallel);
    await waitUntil(browser, isWorking(dataParallel));
    await browser.evaluate('void dispatchEvent(new Event("pagehide"))');
    await waitUntil(browser, `${state} === "cancelled" && ${allWorkersEnded}`);
    await runsAgain();
  });

  it("comes to its end where no frame is drawn, as in a tab in the background", async () => {
    const { inside, hash } = dataParallel;
    await open(serveSite());
    await browser.evaluate("void (globalThis.requestAnimationFrame = () => 1)");
    await run(dataParallel);
    expect(await browser.evaluate(hash)).toBe(hashOfFour);
    expect(await browser.evaluate(`${inside("tbody progress")}.position`)).toBe(1);
  });

  it.each([
    ["WebAssembly", "delete globalThis.WebAssembly", /^This browser has WebAssembly turned off/],
    ["Web Workers", "delete globalThis.Worker", /^This browser has no Web Workers/],
  ])("says so where there is no %s", async (_, script, message) => {
    await open(
      serveSite({
        files: { "/without.js": script },
        planted: '<script src="/without.js"></script>',
      }),
    );
    expect(await browser.evaluate(lessonState)).toBe("failed");
    const notice = 'document.querySelector(".notice p").textContent';
    expect(await browser.evaluate(notice)).toMatch(message);
  });

  it("runs and shows its code from a folder of a server that knows nothing of it", async () => {
    await open(servePlainly());
    await run(dataParallel);
    expect(await browser.evaluate(dataParallel.hash)).toBe(hashOfFour);
    await browser.evaluate(`void (${dataParallel.inside("lockstep-experiment-code")}.shadowRoot
      .querySelector("details").open = true)`);
    await waitUntil(browser, `${dataParallel.code}.length === 3`);
  });

  it("runs no planted inline, foreign or evaluated script, and reports each", async () => {
    await open(
      serveSite({
        files: { "/eval.js": 'try { eval("planted = 1") } catch { /* refused */ }' },
        planted: `<script>planted = 1</script>
          <script src="https://example.com/planted.js"></script>
          <script src="/eval.js"></script>`,
      }),
    );
    expect(await browser.evaluate("typeof planted")).toBe("undefined");
    await waitUntil(browser, `fetch("/violations").then(() => true)`);
    expect(site.violations.length).toBeGreaterThanOrEqual(3);
  });
});
