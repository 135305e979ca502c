// A learner who has a keyboard and nothing else goes through the whole first lesson, in the three
// browser engines.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Browser, engines, launch } from "./support/browser";
import { Keyboard } from "./support/keyboard";
import { type Additions, type Site, servePlainly, serveSite } from "./support/site";
import { waitUntil } from "./support/wait";

const root = path.join(import.meta.dirname, "../..");
const command = process.env.LOCKSTEP ?? path.join(root, "build/bin/lockstep");
const lessonPage = "lesson.html?lesson=using-many-devices";
const lessonState = 'document.querySelector("lockstep-lesson")?.dataset.state';

interface QuestionFile {
  readonly id: string;
  readonly mistakes: readonly { readonly id: string; readonly say: string }[];
  readonly examples: readonly { readonly answers: Readonly<Record<string, string>> }[];
}
const lessonFile = JSON.parse(
  readFileSync(path.join(root, "exercises/using-many-devices/lesson.json"), "utf8"),
) as { readonly questions: readonly QuestionFile[] };

/** Part 1, with what its author foresees for the lesson's own numbers: typed text → verdict. */
const partOne = ["global-tokens", "real-speedup", "pipeline-bubble"].map((id) => {
  const question = lessonFile.questions.find((each) => each.id === id);
  const answers = Object.entries(question?.examples[0]?.answers ?? {});
  return {
    id,
    mistakes: answers.filter(([, verdict]) => verdict.startsWith("mistake:")),
    right: answers.find(([, verdict]) => verdict === "correct")?.[0] ?? "",
  };
});

const nth = (name: string, index: number) => `document.querySelectorAll("${name}")[${index}]`;
const plainText = (node: string) => `${node}.textContent.replace(/\\s+/g, " ").trim()`;
const inShadow = (host: string, selector: string) =>
  `${host}.shadowRoot.querySelector(${JSON.stringify(selector)})`;
/** The n-th element that asks a question: the prediction and the check ask the same one. */
const asking = (question: string, index = 0) =>
  `[...document.querySelectorAll("lockstep-question")]
    .filter((each) => each.question === "${question}")[${index}]`;
const verdictOf = (question: string, index = 0) =>
  plainText(inShadow(asking(question, index), "[role=status]"));
const starBands = `[...document.querySelectorAll(".stars li")].map((each) => each.dataset.band)`;
const experimentState = (index: number) => `${nth("lockstep-experiment", index)}.dataset.state`;

/** Keeps the windows that a page opens, and notes that they were to be printed. */
const printWatch: Additions = {
  files: {
    "/print-watch.js": `
      globalThis.printed = 0;
      const { createObjectURL } = URL;
      URL.createObjectURL = (blob) => createObjectURL.call(URL, (globalThis.sheet = blob));
      const open = window.open;
      window.open = (...words) => {
        globalThis.opened = open.apply(window, words);
        return new Proxy(opened, {
          get: (target, key) => (key === "print" ? () => { printed += 1; } : target[key]),
        });
      };`,
  },
  planted: '<script src="/print-watch.js"></script>',
};

describe.each(engines)("the first lesson in $name", (engine) => {
  let browser: Browser;
  let site: Site;
  let keys: Keyboard;

  beforeAll(async () => {
    browser = await launch(engine);
    keys = new Keyboard(browser);
  });
  afterAll(() => browser?.close());
  afterEach(() => site.close());

  async function open(served: Promise<Site>, address = lessonPage): Promise<void> {
    site = await served;
    await browser.open(site.address + address);
    await waitUntil(browser, `["ready", "failed"].includes(${lessonState})`);
  }

  const text = (expression: string) => browser.evaluate<string>(expression);

  async function answer(question: string, typed: string): Promise<void> {
    await keys.tabTo(new RegExp(`lockstep-question\\[${question}\\] input\\[answer\\]`));
    await browser.evaluate(`void (${inShadow(asking(question), "input")}.select())`);
    await keys.type(typed);
    await keys.press("Enter");
  }

  async function goThrough(): Promise<void> {
    // Predict: the first option, then the one below it.
    await keys.tabTo(/lockstep-question\[wall-clock-model\] input/);
    await keys.press("Space", "ArrowDown", "Tab", "Enter");
    await keys.until(`/^Kept: B\\. No\\./.test(${verdictOf("wall-clock-model")})`);

    // Both demonstrations.
    await keys.tabTo(/lockstep-speedup-slider\[.*\] input\[devices\]/);
    await keys.press("End");
    const speedup = plainText(inShadow(nth("lockstep-speedup-slider", 0), "dl"));
    // 80 s / 16 = 5 s, and 2 s of communication: 80 / 7.
    await keys.until(`${speedup}.includes("11.429")`);
    await keys.tabTo(/lockstep-pipeline-grid\[.*\] input\[microbatches\]/);
    await keys.press("End");
    const bubble = plainText(inShadow(nth("lockstep-pipeline-grid", 0), "p[aria-live]"));
    await keys.until(`${bubble}.includes("= 3/19, or 15.8 %")`);
    await keys.tabTo(/lockstep-timeline\[.*\] div\[/);
    await keys.press("ArrowDown", "Enter");
    const picture = inShadow(nth("lockstep-pipeline-grid", 0), "lockstep-timeline");
    await keys.until(
      `${plainText(inShadow(picture, ".story"))}.includes("Needs: the output of stage 0")`,
    );

    // Part 1: first each foreseen mistake, then what is right.
    for (const { id, mistakes, right } of partOne) {
      for (const [typed] of mistakes) {
        await answer(id, typed);
        await keys.until(`/^✗ Not yet\\. .*${escaped(typed)}/.test(${verdictOf(id)})`);
      }
      await answer(id, right);
      await keys.until(`/^✓ Right\\./.test(${verdictOf(id)})`);
    }

    // 4 and 16 devices, then a pipeline of 4 stages and 8 microbatches.
    const inExperiment = (id: string, what: string) =>
      new RegExp(`lockstep-experiment\\[${id}\\] ${what}`);
    const bothDrawn = (index: number) => `${nth("lockstep-experiment", index)}.shadowRoot
      .querySelectorAll("lockstep-timeline").length === 2`;
    const isDone = (index: number) => `${experimentState(index)} === "done" && ${bothDrawn(index)}`;
    await keys.tabTo(inExperiment("same-gradient-data", "button\\[Run"));
    await keys.press("Enter");
    await keys.until(isDone(0));
    await keys.press("Shift+Tab", "Shift+Tab", "Shift+Tab", "End", "Tab", "Tab", "Tab", "Enter");
    const rows = `${inShadow(nth("lockstep-experiment", 0), "tbody")}?.children.length === 16`;
    await keys.until(`${isDone(0)} && ${rows}`);
    await keys.tabTo(inExperiment("same-gradient-pipeline", "button\\[Run"));
    await keys.press("Enter");
    await keys.until(isDone(1));

    // Check: the answer beside the prediction.
    await keys.tabTo(/lockstep-question\[wall-clock-model\] input/);
    await keys.press("Space", "ArrowDown");
    await keys.tabTo(/lockstep-question\[wall-clock-model\] button\[Check/);
    await keys.press("Enter");
    await keys.until(`/^✓ Right\\./.test(${verdictOf("wall-clock-model", 1)})`);
  }

  it("is gone through by keyboard alone, and found again after a reload", async () => {
    await open(serveSite());
    await goThrough();
    expect(await text(verdictOf("wall-clock-model", 1))).toContain("You predicted: B. No.");
    // The check was right at once. Part 1 began with mistakes: tomorrow its stars can be lit.
    const bands = ["bright", "unlit", "unlit", "unlit", "unlit"];
    expect(await browser.evaluate(starBands)).toEqual(bands);
    const saved = plainText('document.querySelector("footer [data-mode]")');
    expect(await text(saved)).toBe("Your progress is saved in this browser.");
    expect(site.violations).toEqual([]);
    expect(await browser.complaints()).toEqual([]);

    await browser.open(site.address + lessonPage);
    await waitUntil(browser, `${lessonState} === "ready"`);
    expect(await browser.evaluate(starBands)).toEqual(bands);
    expect(await text(verdictOf("wall-clock-model"))).toMatch(/^Kept: B\. No\./);
    for (const { id, right } of partOne) {
      expect(await text(verdictOf(id))).toMatch(/^✓ Right\./);
      expect(await text(`${inShadow(asking(id), "input")}.value`)).toBe(right);
    }
  }, 180_000);

  it("keeps what is typed and not checked", async () => {
    await open(serveSite());
    await keys.tabTo(/lockstep-question\[microbatch-tokens\] input\[answer\]/);
    await keys.type("6");
    await browser.open(site.address + lessonPage);
    await waitUntil(browser, `${lessonState} === "ready"`);
    const input = `${inShadow(asking("microbatch-tokens"), "input")}.value`;
    expect(await text(input)).toBe("6");
  });

  it("opens hints one by one, and the solution, after which the star comes back", async () => {
    await open(serveSite());
    const question = inShadow(asking("training-flops"), ".help");
    await keys.tabTo(/lockstep-question\[training-flops\] button\[Show a hint/);
    await keys.press("Enter");
    await keys.until(`${question}.children.length === 1`);
    await keys.press("Enter");
    await keys.until(`${question}.children.length === 2`);
    await keys.tabTo(/lockstep-question\[training-flops\] button\[Show the solution/);
    await keys.press("Enter");
    await keys.until(
      `/6 in all/.test(${plainText(inShadow(asking("training-flops"), ".solution"))})`,
    );
    const star = `${plainText('document.querySelectorAll(".stars li")[4]')}`;
    expect(await text(star)).toMatch(/not lit yet, come back tomorrow$/);
  });

  it("prints the bytes of the command, in a window that breaks no rule", async () => {
    await open(serveSite(printWatch));
    await keys.tabTo(/lockstep-worksheet\[.*\] input\[seed\]/);
    await browser.evaluate(`void ${inShadow(nth("lockstep-worksheet", 0), "#seed")}.select()`);
    await keys.type("7");
    await keys.tabTo(/lockstep-print-button\[.*\] button\[/);
    await keys.press("Enter");
    await keys.until("printed === 1");
    const words = ["worksheet", "exercises/using-many-devices", "--seed", "7", "-o", "-"];
    const sheet = execFileSync(command, words, { cwd: root, encoding: "utf8" });
    const printed = await text("sheet.text()");
    expect(printed).toBe(sheet);
    expect(site.violations).toEqual([]);
    await browser.evaluate("void opened.close()");
  });

  it("grades where the browser blocks storage, says so, and offers a file", async () => {
    const script = `Object.defineProperty(window, "localStorage", {
      get() { throw new DOMException("blocked", "SecurityError"); } });`;
    await open(
      serveSite({
        files: { "/block.js": script },
        planted: '<script src="/block.js"></script>',
      }),
    );
    await answer("global-tokens", "64");
    await keys.until(`/^✗ Not yet\\./.test(${verdictOf("global-tokens")})`);
    const footer = plainText('document.querySelector("footer")');
    expect(await text(footer)).toMatch(/^Your progress is kept until this page closes/);
    expect(await text(footer)).toContain("Save my answers as a file");
    expect(await browser.complaints()).toEqual([]);
  });

  it("tells of a copy of the progress that cannot be read, and uses the other", async () => {
    await open(serveSite());
    await answer("global-tokens", "256");
    await browser.evaluate(`void Object.keys(localStorage).filter((key) => /slot-0$/.test(key))
      .forEach((key) => localStorage.setItem(key, "no slot at all"))`);
    await browser.open(site.address + lessonPage);
    await waitUntil(browser, `${lessonState} === "ready"`);
    const footer = plainText('document.querySelector("footer")');
    expect(await text(footer)).toContain("A copy of your progress in this browser cannot be read");
    expect(await text(verdictOf("global-tokens"))).toMatch(/^✓ Right\./);
  });

  it("works from a folder of a server that knows nothing of it", async () => {
    await open(servePlainly());
    expect(await text(lessonState)).toBe("ready");
    await answer("global-tokens", "256");
    await keys.until(`/^✓ Right\\./.test(${verdictOf("global-tokens")})`);
  });

  it.each([
    ["lesson.html?lesson=no-such-lesson", "This site has no lesson called “no-such-lesson”."],
    ["lesson.html?lesson=..%2Fsecret", "“../secret” cannot be the name of a lesson."],
    ["lesson.html", "The address names no lesson: it ends in lesson.html?lesson=…"],
  ])("says what is wrong with the address %s", async (address, message) => {
    await open(serveSite(), address);
    expect(await text(lessonState)).toBe("failed");
    expect(await text(plainText('document.querySelector(".notice p")'))).toBe(message);
  });
});

describe("the first lesson for everyone", () => {
  it.each(["light", "dark"] as const)("has no fault that axe knows, in %s", async (scheme) => {
    const axe = readFileSync(path.join(root, "node_modules/axe-core/axe.min.js"), "utf8");
    const site = await serveSite({
      files: { "/axe.js": axe },
      planted: '<script src="/axe.js"></script>',
    });
    const chromium = engines[0] as (typeof engines)[number];
    const browser = await launch(chromium, scheme);
    const faults = `axe.run().then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" ")))`;
    await browser.open(site.address);
    expect(await browser.evaluate(faults)).toEqual([]);
    await browser.open(site.address + lessonPage);
    await waitUntil(browser, `${lessonState} === "ready"`);
    expect(await browser.evaluate(faults)).toEqual([]);
    await browser.evaluate(`void document.querySelectorAll("lockstep-question").forEach((each) => {
      each.shadowRoot.querySelector("button.primary").click();
      each.shadowRoot.querySelector("button[type=button]")?.click();
    })`);
    for (const index of [0, 1]) {
      const run = inShadow(nth("lockstep-experiment", index), "button.primary");
      await browser.evaluate(`void ${run}.click()`);
      await waitUntil(browser, `${experimentState(index)} === "done"`);
    }
    await browser.evaluate(`void document.querySelectorAll("details").forEach((each) => {
      each.open = true;
    })`);
    expect(await browser.evaluate(faults)).toEqual([]);
    await browser.close();
    await site.close();
  });

  it("keeps the page free while devices work: long tasks, counted and told", async () => {
    const site = await serveSite({
      files: {
        "/tasks.js": `
          globalThis.longTasks = [];
          new PerformanceObserver((list) => longTasks.push(...list.getEntries()
            .map(({ duration }) => Math.round(duration)))).observe({ type: "longtask" });`,
      },
      planted: '<script src="/tasks.js"></script>',
    });
    const browser = await launch(engines[0] as (typeof engines)[number]);
    await browser.open(site.address + lessonPage);
    await waitUntil(browser, `${lessonState} === "ready"`);
    const told: string[] = [];
    for (const [index, devices] of [
      [0, 4],
      [0, 16],
      [1, 4],
    ] as const) {
      const inside = (selector: string) => inShadow(nth("lockstep-experiment", index), selector);
      const slider = inside(index === 0 ? "#devices" : "#stages");
      await browser.evaluate(`(longTasks.length = 0, ${slider}.value = ${devices - 1},
        ${slider}.dispatchEvent(new Event("input")), void 0)`);
      await browser.evaluate(`void ${inside("button.primary")}.click()`);
      await waitUntil(browser, `${experimentState(index)} === "done"`);
      const tasks = await browser.evaluate<number[]>("longTasks");
      told.push(
        `${index === 0 ? "data" : "pipeline"} on ${devices}: ${tasks.length} [${tasks}] ms`,
      );
    }
    console.log(`Long tasks of the page during runs: ${told.join("; ")}`);
    await browser.close();
    await site.close();
  });
});

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
