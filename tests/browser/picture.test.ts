// The picture of a run in a page, in the three browser engines: walked over by keyboard, clicked
// on, and read out.

import { readFileSync } from "node:fs";
import path from "node:path";
import { build, type Rolldown } from "vite";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startEngine } from "../../web/engine/load";
import type { Picture } from "../../web/engine/schedule";
import { compiledEngine } from "../web/support/engine";
import { value } from "../web/support/value";
import { type Browser, engines, type KeyName, launch } from "./support/browser";
import { Keyboard } from "./support/keyboard";
import { type Site, serveSite } from "./support/site";
import { waitUntil } from "./support/wait";

const root = path.join(import.meta.dirname, "../..");

/** The element and the style of pictures as scripts that a page can load, by path. */
async function bundledElement(): Promise<Record<string, string>> {
  const built = await build({
    configFile: false,
    root,
    logLevel: "error",
    // Lit as a visitor gets it: in a test Vite would take the one that warns of itself.
    resolve: { conditions: ["browser", "module", "production"] },
    build: {
      write: false,
      minify: false,
      lib: {
        entry: { timeline: "web/picture/timeline.ts", style: "web/picture/picture-style.ts" },
        formats: ["es"],
      },
    },
  });
  const outputs = (built as Rolldown.RolldownOutput[]).flatMap(({ output }) => output);
  return Object.fromEntries(
    outputs.flatMap((output) =>
      output.type === "chunk" ? [[`/${output.fileName}`, output.code]] : [],
    ),
  );
}

/** Constructed style sheets may hold any text: the theme's rules, as every page has them. */
const pageScript = (pictureStyle: string) => `
  import { Timeline } from "/timeline.js";
  import { setPictureStyle } from "/style.js";
  const theme = new CSSStyleSheet();
  theme.replaceSync(${JSON.stringify(readFileSync(path.join(root, "web/page/theme.css"), "utf8"))});
  document.adoptedStyleSheets.push(theme);
  setPictureStyle(${JSON.stringify(pictureStyle)});
  customElements.define("lockstep-timeline", Timeline);`;

const page = `<!DOCTYPE html>
<html lang="en"><meta name="viewport" content="width=device-width">
<title>Picture</title><link rel="icon" href="data:,">
<script src="/pictures.js"></script>
<script type="module" src="/page.js"></script>
<main><button>before</button><lockstep-timeline></lockstep-timeline><button>after</button></main>
</html>`;

const element = 'document.querySelector("lockstep-timeline")';
const part = (selector: string) => `${element}.shadowRoot.querySelector("${selector}")`;
const textOf = (node: string) => `${node}.textContent.replace(/\\s+/g, " ").trim()`;
const story = textOf(part(".story"));
/** Where a shape stands in its picture. */
const placeOf = (node: string) =>
  `["x", "y", "width", "height"].map((name) => ${node}.getAttribute(name)).join()`;

let files: Record<string, string>;
let pipeline: Picture;
let ring: Picture;

beforeAll(async () => {
  const engine = await startEngine(await compiledEngine());
  pipeline = value(engine.drawRun({ strategy: "pipeline_parallel" }));
  ring = value(engine.drawRun({ devices: 16 }));
  files = {
    ...(await bundledElement()),
    "/picture.html": page,
    "/page.js": pageScript(engine.pictureStylesheet()),
    "/pictures.js": `globalThis.pictures = ${JSON.stringify({ pipeline, ring })}`,
  };
});

describe.each(engines)("the picture of a run in $name", (engine) => {
  let browser: Browser;
  let keys: Keyboard;
  let site: Site;

  beforeAll(async () => {
    browser = await launch(engine);
    keys = new Keyboard(browser);
  });
  afterAll(() => browser?.close());
  afterEach(async () => {
    expect(site.violations).toEqual([]);
    expect(await browser.complaints()).toEqual([]);
    await site.close();
  });

  async function show(name: "pipeline" | "ring"): Promise<void> {
    site = await serveSite({ files });
    await browser.open(`${site.address}picture.html`);
    await browser.evaluate(`void (${element}.picture = pictures.${name})`);
    await waitUntil(browser, `${part(".frame")} !== null`);
  }

  /** Presses keys, after which the story says so. */
  async function walk(pressed: readonly KeyName[], says: string): Promise<void> {
    await keys.press(...pressed);
    await waitUntil(browser, `${story}.includes(${JSON.stringify(says)})`);
  }

  it("has a name and a description, and tells a cell's story by keyboard", async () => {
    await show("pipeline");
    const named = `${part(".frame")}.getAttribute("aria-label")`;
    expect(await browser.evaluate(named)).toBe("1F1B: 4 devices, 8 microbatches");
    const said = `${part(".frame")}.getAttribute("aria-describedby").split(" ").map((id) =>
      ${element}.shadowRoot.getElementById(id).textContent.trim()).join(" ")`;
    expect(await browser.evaluate(said)).toContain(pipeline.description);
    await keys.tabTo(/lockstep-timeline\[.*\] div\[/);
    await walk(["ArrowRight"], "device 0: forward of stage 0 on microbatch 1, from 1 to 2");
    await walk(["ArrowDown"], "device 1: forward of stage 1 on microbatch 0, from 1 to 2");
    await walk(["ArrowLeft", "ArrowUp"], "device 0: forward of stage 0 on microbatch 1");
    await walk(["Home"], "forward of stage 0 on microbatch 0, from 0 to 1");
    await walk(["End"], "device 0: backward of stage 0 on microbatch 7, from 31 to 33");
    await walk(
      ["Enter"],
      "Needs: the gradient from stage 1 on device 1, and what its forward kept",
    );
    await keys.press("Escape");
    await waitUntil(browser, `!${story}.includes("Needs")`);
    await walk(["Space"], "Needs: the gradient from stage 1");
    // One tab stop.
    await keys.press("Tab");
    expect(await keys.focus()).toBe("button[after]");
    await keys.press("Shift+Tab", "Shift+Tab");
    expect(await keys.focus()).toBe("button[before]");
  });

  it("marks the cell under the cursor, and draws nothing else anew", async () => {
    await show("ring");
    await keys.tabTo(/lockstep-timeline\[.*\] div\[/);
    await waitUntil(browser, `${part(".cursor")} !== null`);
    await browser.evaluate(`void (() => {
      globalThis.changed = new Set();
      const watched = { attributes: true, childList: true, characterData: true, subtree: true };
      new MutationObserver((records) => {
        for (const { target } of records) changed.add(target.getAttribute?.("class") ?? "");
      }).observe(${part(".chart")}, watched);
    })()`);
    const last = ring.shapes.filter(({ rank }) => rank === 15).at(-1)?.title ?? "none";
    await walk([...new Array<"ArrowDown">(15).fill("ArrowDown"), "End"], last);
    expect(await browser.evaluate("[...changed]")).toEqual(["cursor"]);
    const titled = `[...${element}.shadowRoot.querySelectorAll(".cell")]
      .find((cell) => cell.textContent === ${JSON.stringify(last)})`;
    await waitUntil(browser, `${placeOf(part(".cursor"))} === ${placeOf(titled)}`);
    const stroke = `getComputedStyle(${part(".cursor")}).stroke`;
    const ink = "getComputedStyle(document.documentElement).color";
    expect(await browser.evaluate(`${stroke} === ${ink}`)).toBe(true);
  });

  it("scrolls in a frame of its own, in which the names of the devices stay", async () => {
    // Narrower is none of WebKitGTK's windows.
    await browser.resize(450, 800);
    await show("ring");
    await keys.tabTo(/lockstep-timeline\[.*\] div\[/);
    await keys.press("End");
    await waitUntil(browser, `${part(".frame")}.scrollLeft > 100`);
    const left = (node: string) => `${node}.getBoundingClientRect().left`;
    // The frame has a border.
    await waitUntil(browser, `${left(part(".names"))} - ${left(part(".frame"))} === 1`);
    const marked = `${part(".cursor")}.getBoundingClientRect()`;
    const frame = `${part(".frame")}.getBoundingClientRect()`;
    expect(await browser.evaluate(`${marked}.right <= ${frame}.right`)).toBe(true);
    const names = `${part(".names")}.getBoundingClientRect()`;
    expect(await browser.evaluate(`${marked}.left >= ${names}.right`)).toBe(true);
    const overflow = "document.documentElement.scrollWidth - innerWidth";
    expect(await browser.evaluate(`${overflow} <= 0`)).toBe(true);
    await browser.resize(1280, 800);
  });

  it("tells a cell's story at a click on its number", async () => {
    await show("pipeline");
    const where = await browser.evaluate<string>(`(() => {
      const number = ${part("text.number")}.getBoundingClientRect();
      const at = { clientX: number.x + number.width / 2, clientY: number.y + number.height / 2 };
      const hit = ${element}.shadowRoot.elementFromPoint(at.clientX, at.clientY);
      hit.dispatchEvent(new MouseEvent("click", { bubbles: true, composed: true, ...at }));
      return hit.getAttribute("class");
    })()`);
    expect(where).toBe("cell forward");
    await waitUntil(browser, `${story}.includes("Needs: the rows of microbatch 0.")`);
    expect(await browser.evaluate(placeOf(part(".cursor")))).toBe(
      await browser.evaluate(placeOf(part(".cell"))),
    );
  });

  it("shows nothing without a picture, and forgets the story with the picture", async () => {
    await show("pipeline");
    await keys.tabTo(/lockstep-timeline\[.*\] div\[/);
    await walk(["Enter"], "Needs: the rows of microbatch 0.");
    await browser.evaluate(`void (${element}.picture = pictures.ring)`);
    await waitUntil(browser, `!${story}.includes("Needs")`);
    await browser.evaluate(`void (${element}.picture = undefined)`);
    await waitUntil(browser, `${part("figure")} === null`);
  });
});
