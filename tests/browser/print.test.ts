// A worksheet in a window of its own, in the three browser engines.

import { execFileSync } from "node:child_process";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Browser, engines, launch } from "./support/browser";
import { bundled } from "./support/bundle";
import { type Site, serveSite } from "./support/site";
import { waitUntil } from "./support/wait";

const root = path.join(import.meta.dirname, "../..");
const command = process.env.LOCKSTEP ?? path.join(root, "build/bin/lockstep");
const words = ["worksheet", "exercises/using-many-devices", "--seed", "7", "--output", "-"];
const sheet = execFileSync(command, words, { cwd: root, encoding: "utf8" });

/**
 * Keeps the window that the page opens, and notes that it was to be printed instead of doing it.
 * With `blocked`, no window opens.
 */
const windowWatch = `
  globalThis.printed = 0;
  globalThis.blocked = false;
  const open = window.open;
  window.open = (...words) => {
    if (blocked) return null;
    globalThis.opened = open.apply(window, words);
    return new Proxy(opened, {
      get: (target, key) => (key === "print" ? () => { printed += 1; } : target[key]),
    });
  };`;

const pageScript = `
  import { PrintButton } from "/print.js";
  customElements.define("lockstep-print-button", PrintButton);`;

const page = `<!DOCTYPE html>
<html lang="en"><title>Print</title><link rel="icon" href="data:,">
<script src="/window-watch.js"></script>
<script src="/sheet.js"></script>
<script type="module" src="/page.js"></script>
<lockstep-print-button></lockstep-print-button></html>`;

const button = 'document.querySelector("lockstep-print-button")';
const status = `${button}.shadowRoot.querySelector("[role=status]")`;
const statusText = `${status}.textContent.replace(/\\s+/g, " ").trim()`;

let script: string;

beforeAll(async () => {
  script = await bundled("web/print/print-button.ts");
});

describe.each(engines)("a worksheet printed from a page in $name", (engine) => {
  let browser: Browser;
  let site: Site;

  beforeAll(async () => {
    browser = await launch(engine);
  });
  afterAll(() => browser?.close());
  afterEach(async () => {
    await browser.evaluate("void globalThis.opened?.close()");
    await site.close();
  });

  async function openPage(html: string): Promise<void> {
    const files = {
      "/print.html": page,
      "/print.js": script,
      "/page.js": pageScript,
      "/window-watch.js": windowWatch,
      "/sheet.js": `globalThis.sheet = ${JSON.stringify(html)}`,
    };
    site = await serveSite({ files });
    await browser.open(`${site.address}print.html`);
    await browser.evaluate(
      `void (${button}.worksheet = () => ({ type: "value", value: { html: sheet } }))`,
    );
  }

  /** By key: a real one, for browsers open no window for a script's click. */
  async function press(): Promise<void> {
    await browser.press("Tab");
    await browser.press("Enter");
  }

  it("opens in its own look, is to be printed once, and breaks no rule", async () => {
    await openPage(sheet);
    await press();
    await waitUntil(browser, "printed === 1");
    const inWindow = <Value>(expression: string) =>
      browser.evaluate<Value>(`(({ document }) => ${expression})(opened)`);
    expect(await inWindow("document.characterSet")).toBe("UTF-8");
    expect(await inWindow("document.title")).toMatch(/^Using many devices/);
    // 20pt and 178mm of the sheet's own style: 96 CSS pixels are an inch of 72pt or 25.4mm.
    const computed = (selector: string, property: string) => {
      const node = `document.querySelector("${selector}")`;
      return `Number.parseFloat(opened.getComputedStyle(${node}).${property})`;
    };
    expect(await inWindow<number>(computed("h1", "fontSize"))).toBeCloseTo((20 * 96) / 72, 1);
    expect(await inWindow<number>(computed(".sheet", "width"))).toBeCloseTo((178 * 96) / 25.4, 0);
    expect(await browser.evaluate(statusText)).toBe("");
    expect(site.violations).toEqual([]);
    expect(await browser.complaints()).toEqual([]);
  });

  it("runs no script and takes no other style sheet there", async () => {
    const evil = sheet
      .replace("</style>", " h1 { font-size: 99px }</style>")
      .replace("</head>", "<script>opener.planted = document.planted = 1</script></head>");
    await openPage(evil);
    await press();
    await waitUntil(browser, "printed === 1");
    expect(await browser.evaluate("typeof planted + typeof opened.document.planted")).toBe(
      "undefinedundefined",
    );
    const size = "opened.getComputedStyle(opened.document.querySelector('h1')).fontSize";
    expect(await browser.evaluate(size)).not.toBe("99px");
    // WebKit refuses both, but sends no reports from a blob: there the looks above have to do.
    if (engine.name === "WebKitGTK") return;
    await expect.poll(() => site.violations.length, { timeout: 10_000 }).toBe(2);
  });

  it("says that no window opened, and gives a link that does", async () => {
    await openPage(sheet);
    await browser.evaluate("void (blocked = true)");
    await press();
    const notice = "Your browser let no window open. Open the worksheet yourself, then print it.";
    await waitUntil(browser, `${statusText} === ${JSON.stringify(notice)}`);
    const link = `${status}.querySelector("a[target=_blank]").href`;
    const linked = await browser.evaluate<string>(link);
    expect(linked).toMatch(/^blob:/);
    // What the link leads to is the sheet, shown here in a frame of the page.
    await browser.evaluate(`new Promise((resolve) => {
      const frame = document.createElement("iframe");
      frame.onload = () => { globalThis.frame = frame; resolve(true); };
      frame.src = ${link};
      document.body.append(frame);
    })`);
    const title = await browser.evaluate("frame.contentDocument.title");
    expect(title).toMatch(/^Using many devices/);
    expect(site.violations).toEqual([]);
  });

  it("says why there is no worksheet, and opens nothing", async () => {
    await openPage(sheet);
    await browser.evaluate(`void (${button}.worksheet = () => ({
      type: "error",
      error: { code: "grid_too_large", where: "", message: "It is too large." },
    }))`);
    await press();
    await waitUntil(
      browser,
      `${statusText} === "The worksheet could not be made: It is too large."`,
    );
    expect(await browser.evaluate("typeof opened")).toBe("undefined");
  });
});
