import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const serve = path.join(import.meta.dirname, "../../../web/tool/serve.mjs");
let site: string;

beforeAll(() => {
  site = mkdtempSync(path.join(tmpdir(), "lockstep-serve-"));
  writeFileSync(path.join(site, "index.html"), "<!doctype html>start");
});
afterAll(() => rmSync(site, { recursive: true }));

/** Runs it until it ends or has said where the site is. */
function start(...words: string[]): Promise<{ child: ChildProcess; text: string; code?: number }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [serve, ...words]);
    let text = "";
    const hear = (part: Buffer) => {
      text += String(part);
      if (text.includes("Lockstep is at")) resolve({ child, text });
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.on("close", (code) => resolve({ child, text, code: code ?? -1 }));
  });
}

describe("web/tool/serve.mjs", () => {
  it("prints an address at which the site is", async () => {
    const { child, text } = await start("--port", "0", "--root", site);
    const address = /http:\/\/localhost:\d+\//.exec(text)?.[0] ?? "";
    expect(await (await fetch(address)).text()).toBe("<!doctype html>start");
    child.kill();
  });

  it("takes the next free port and says so when the wanted one is taken", async () => {
    const holder = createServer();
    await new Promise<void>((resolve) => holder.listen(0, "127.0.0.1", resolve));
    const address = holder.address();
    const taken = typeof address === "object" && address ? address.port : 0;
    const { child, text } = await start("--port", `${taken}`, "--root", site);
    expect(text).toContain(`Port ${taken} is taken, trying ${taken + 1}.`);
    child.kill();
    holder.close();
  });

  it.each(["80a", "-1", "65536", "1e3", "", "8080 "])("refuses the port '%s'", async (port) => {
    const { code, text } = await start(`--port=${port}`, "--root", site);
    expect(code).toBe(2);
    expect(text).toContain("--port takes a whole number from 0 to 65535");
  });

  it("refuses an option it does not know and a folder without a site", async () => {
    expect(await start("--prot", "8080")).toMatchObject({ code: 2 });
    const { code, text } = await start("--root", path.join(site, "nowhere"));
    expect(code).toBe(2);
    expect(text).toContain("has no index.html: build the site first");
  });
});
