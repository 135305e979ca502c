import { describe, it } from "vitest";
import { engines, launch } from "./support/browser";
import { serveSite } from "./support/site";
import { waitUntil } from "./support/wait";
describe.each(engines)("$name", (engine) => {
  it("measures", async () => {
    const browser = await launch(engine);
    const site = await serveSite({});
    await browser.open(`${site.address}lesson.html?lesson=using-many-devices`);
    await waitUntil(browser, `document.querySelector("lockstep-lesson")?.dataset.state === "ready"`);
    await browser.evaluate(`void (globalThis.longs = [], PerformanceObserver.supportedEntryTypes.includes("longtask") && new PerformanceObserver((l) => longs.push(...l.getEntries().map((e) => Math.round(e.duration)))).observe({ type: "longtask" }))`);
    const el = (i: number) => `document.querySelectorAll("lockstep-experiment")[${i}]`;
    const configs: [number, object][] = JSON.parse(process.env.SETUPS ?? "[]");
    for (const [index, setup] of configs) {
      await browser.evaluate(`void (longs.length = 0, ${el(index)}.setup = { ...${el(index)}.setup, ...${JSON.stringify(setup)} })`);
      const wall = await browser.evaluate(`(async () => { const e = ${el(index)}; const t = performance.now(); e.shadowRoot.querySelector("button.primary").click(); await new Promise(r => setTimeout(r)); while (e.state.type === "running") await new Promise(r => setTimeout(r, 5));
        const total = performance.now() - t; if (e.state.type !== "done") return JSON.stringify(e.state); const ops = e.shown.description.devices; let zero = 0, work = 0, all = []; e.state.devices.forEach((d, r) => { for (let i = 0; i < d.spans.length; i += 3) { const op = ops[r].operations[d.spans[i]]; if (!/forward|backward/.test(op)) continue; const w = d.spans[i+2] - d.spans[i+1]; all.push(w); if (w <= 0) zero++; } });
        all.sort((a, b) => a - b); const s = e.state.devices.flatMap(d => [d.spans[1], d.spans[d.spans.length-1]]); await new Promise(r => setTimeout(r, 300));
        return JSON.stringify({ wall: Math.round(total), run: +(Math.max(...s) - Math.min(...s)).toFixed(1), zero, of: all.length, median: +all[all.length >> 1].toFixed(2), max: +all.at(-1).toFixed(2), longs, pass: e.state.report.passed }); })()`);
      console.log(engine.name, index, JSON.stringify(setup), wall);
    }
    await site.close();
    await browser.close();
  });
});
