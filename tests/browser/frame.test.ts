// A frame for code that is not ours, under the policy, in the three browser engines.

import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Browser, engines, launch } from "./support/browser";
import { bundled } from "./support/bundle";
import { serveSite } from "./support/site";
import { waitUntil } from "./support/wait";

/** Answers over the port with what it can reach of its surroundings. */
const guest = `
  addEventListener("message", ({ data, ports: [port] }) => {
    const reach = (look) => { try { look(); return true; } catch { return false; } };
    port.onmessage = ({ data: question }) => port.postMessage({
      greeting: data,
      question,
      origin: self.origin,
      storage: reach(() => localStorage.length),
      parent: reach(() => parent.document.title),
      cookies: reach(() => document.cookie),
    });
  });`;

const host = `
  import { openSandboxedFrame } from "/frame.js";
  globalThis.openFrame = async (address) => {
    const opened = await openSandboxedFrame(address, "Guest", document.body);
    globalThis.opened = opened;
    opened.port.onmessage = ({ data }) => { globalThis.answer = data; };
    opened.port.postMessage("hello");
    return true;
  };
  globalThis.isReady = true;`;

/** By its hash: to a page without an origin, WebKit takes no source for 'self'. */
const guestHash = createHash("sha256").update(guest).digest("base64");

const page = `<!DOCTYPE html>
<html lang="en"><title>Page</title><link rel="icon" href="data:,">
<script type="module" src="/host.js"></script></html>`;

describe.each(engines)("a sandboxed frame in $name", (engine) => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launch(engine);
  });
  afterAll(() => browser?.close());

  it("runs scripts, is talked to over a port, and reaches nothing of ours", async () => {
    const site = await serveSite({
      files: {
        "/host.html": page,
        "/host.js": host,
        "/frame.js": await bundled("web/trust/frame.ts"),
        "/guest.html": `<!DOCTYPE html><title>Guest</title><script>${guest}</script>`,
      },
      policies: { "/guest.html": `default-src 'none'; script-src 'sha256-${guestHash}'` },
    });
    await browser.open(`${site.address}host.html`);
    await waitUntil(browser, "globalThis.isReady === true");
    await browser.evaluate('openFrame("/guest.html")');
    await waitUntil(browser, "globalThis.answer !== undefined");
    expect(await browser.evaluate("answer")).toEqual({
      greeting: "lockstep:port",
      question: "hello",
      origin: "null",
      storage: false,
      parent: false,
      cookies: false,
    });
    await browser.evaluate("void opened.close()");
    expect(await browser.evaluate("document.querySelectorAll('iframe').length")).toBe(0);
    const foreign = 'openFrame("https://example.com/guest.html").catch((error) => error.name)';
    expect(await browser.evaluate(foreign)).toBe("TypeError");
    expect(site.violations).toEqual([]);
    await site.close();
  });
});
