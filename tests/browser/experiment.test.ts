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
  };
}
const { inside, state, hash, text } = experiment(0);
const pipeline = experiment(1);

/**
 * Notes every worker that a page starts and ends, and lets a test tamper with what the page posts:
 * `tamper(type, rank, worker)` gives the message to post instead, or nothing to post none.
 */
const workerWatch = `
  globalThis.started = [];
  globalThis.ended = new Set();
  globalThis.tamper = (message) => message;
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

  async function run(): Promise<void> {
    await browser.evaluate(`${inside("button.primary")}.click()`);
    await waitUntil(browser, `${state} !== "running"`);
  }

  /** Moves a slider whose stops are the numbers from 1. */
  const choose = (slider: string, value: number) =>
    browser.evaluate(`(${slider}.value = ${value - 1},
      void ${slider}.dispatchEvent(new Event("input", { bubbles: true })))`);

  it("shows the hash that the command prints, under the policy, asking no other site", async () => {
    await open(serveSite(watched));
    await run();
    expect(await browser.evaluate(state)).toBe("done");
    expect(await browser.evaluate(hash)).toBe(hashOfFour);
    expect(await browser.evaluate(text(".hash"))).toBe(hashOfFour);
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
    await open(serveSite());
    for (const devices of [1, 16]) {
      await choose(inside("#devices"), devices);
      await run();
      expect(await browser.evaluate(state)).toBe("done");
      expect(await browser.evaluate(`${inside("tbody")}.children.length`)).toBe(devices);
    }
  });

  it("passes the microbatches through a pipeline, and is equal bit for bit", async () => {
    await open(serveSite(watched));
    await browser.evaluate(`${pipeline.inside("button.primary")}.click()`);
    await waitUntil(browser, `${pipeline.state} === "done"`);
    expect(await browser.evaluate(pipeline.hash)).toBe(hashOfPipeline);
    expect(await browser.evaluate(pipeline.text(".verdict"))).toMatch(/Equal bit for bit yes/);
    const cells = (index: number) => `${pipeline.element}.shadowRoot
      .querySelectorAll("lockstep-timeline")[${index}].shadowRoot
      .querySelectorAll(".cell.forward, .cell.backward").length`;
    // 4 stages do 8 forwards and 8 backwards each, in both pictures.
    await waitUntil(browser, `${cells(0)} === 64 && ${cells(1)} === 64`);
    expect(site.violations).toEqual([]);
    expect(await browser.complaints()).toEqual([]);
  });

  it("shows its own code: the program as it ran, and the engine's source", async () => {
    await open(serveSite());
    await browser.evaluate(`void (${pipeline.inside("details")}.open = true)`);
    const blocks = `[...${pipeline.element}.shadowRoot.querySelectorAll("pre")]`;
    await waitUntil(browser, `${blocks}.length === 5`);
    const texts = await browser.evaluate<string[]>(`${blocks}.map((each) => each.textContent)`);
    const source = (name: string) => readFileSync(path.join(root, name), "utf8");
    expect(texts[0]).toMatch(/^program one_f_one_b\b/);
    expect(texts[0]?.match(/^\s*forward stage/gm)).toHaveLength(32);
    expect(texts).toContain(source("engine/schedule/one_f_one_b.cpp"));
    expect(texts).toContain(source("engine/schedule/lower.cpp"));
    expect(site.violations).toEqual([]);
  });

  it("says why unequal shares are refused, and shares them when they are weighed", async () => {
    await open(serveSite());
    await choose(inside("#devices"), 3);
    await run();
    expect(await browser.evaluate(text(".notice"))).toMatch(/^64 rows cannot be shared equally/);
    await browser.evaluate(`${inside("#weighted")}.click()`);
    await run();
    expect(await browser.evaluate(state)).toBe("done");
    expect(await browser.evaluate(text(".verdict"))).toMatch(/is that of a single device/);
  });

  /** Runs once with what the test does to the messages, then once more as it is. */
  async function runTampered(tamper: string): Promise<void> {
    await open(serveSite(watched));
    await browser.evaluate(`void (tamper = ${tamper})`);
    await run();
  }
  async function runsAgain(): Promise<void> {
    await browser.evaluate("void (tamper = (message) => message)");
    await run();
    expect(await browser.evaluate(hash)).toBe(hashOfFour);
  }

  // Device 3 starts late: until then the ring cannot end, so device 2 dies while it waits.
  const killTwo = `(message, rank, worker) => {
    if (message.type !== "run" || rank !== 3) return message;
    tamper = (later) => later;
    setTimeout(() => {
      started[2].terminate();
      worker.postMessage(message);
    }, 100);
  }`;
  it.each([
    ["by the lock it held", killTwo],
    // Where a worker has no lock to hold: the page is told of none.
    [
      "by its silence",
      `(message, rank, worker) => {
      if (message.type === "prepare") return { ...message, life: "-not allowed" };
      return (${killTwo})(message, rank, worker);
    }`,
    ],
  ])(
    "names a worker that is killed in the middle of a run, %s, and runs again",
    async (_, kill) => {
      await runTampered(kill);
      expect(await browser.evaluate(state)).toBe("failed");
      expect(await browser.evaluate(text(".notice"))).toMatch(/^Device 2 is gone/);
      expect(await browser.evaluate(allWorkersEnded)).toBe(true);
      await runsAgain();
    },
  );

  it("names a worker that throws, and runs again", async () => {
    await runTampered(`(message) => message.rank === 1 ? { ...message, module: null } : message`);
    expect(await browser.evaluate(state)).toBe("failed");
    expect(await browser.evaluate(text(".notice"))).toMatch(/^Device 1 stopped with an error/);
    expect(await browser.evaluate(allWorkersEnded)).toBe(true);
    await runsAgain();
  });

  it("passes on what a device itself refuses", async () => {
    await runTampered(
      `(message) => message.rank === 2 ? { ...message, config: { devices: 0 } } : message`,
    );
    expect(await browser.evaluate(state)).toBe("failed");
    expect(await browser.evaluate(text(".notice"))).toMatch(/^Devices is 0 and must be 1 to 16/);
    await runsAgain();
  });

  it("cancels in the middle of a run at once, and runs again", async () => {
    await open(serveSite(watched));
    // Without device 3 the ring never ends.
    await browser.evaluate(
      `void (tamper = (message, rank) => message.type === "run" && rank === 3 ? null : message)`,
    );
    await browser.evaluate(`${inside("button.primary")}.click()`);
    await waitUntil(browser, `${inside("progress")}?.value > 0`);
    const after = await browser.evaluate(
      `(${inside("button[type=button]")}.click(), Promise.resolve().then(() =>
        ({ ended: ${allWorkersEnded} })))`,
    );
    expect(after).toEqual({ ended: true });
    await waitUntil(browser, `${state} === "cancelled"`);
    expect(await browser.evaluate(text(".status"))).toMatch(/^Cancelled/);
    await runsAgain();
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

  it("runs from a folder of a server that knows nothing of it", async () => {
    await open(servePlainly());
    await run();
    expect(await browser.evaluate(hash)).toBe(hashOfFour);
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
