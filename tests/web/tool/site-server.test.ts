import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { type IncomingMessage, request, type Server } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { securityHeaders } from "../../../web/tool/policy.mjs";
import { createSiteServer } from "../../../web/tool/site-server.mjs";

let folder: string;
let server: Server;
let port: number;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "lockstep-site-"));
  const site = path.join(folder, "site");
  mkdirSync(path.join(site, "lesson"), { recursive: true });
  writeFileSync(path.join(folder, "secret.txt"), "secret");
  writeFileSync(path.join(site, "index.html"), "<!doctype html>start");
  writeFileSync(path.join(site, "lesson/index.html"), "<!doctype html>lesson");
  writeFileSync(path.join(site, "engine.wasm"), "wasm");
  symlinkSync(path.join(folder, "secret.txt"), path.join(site, "link.txt"));
  server = await createSiteServer(site, securityHeaders);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  port = typeof address === "object" && address ? address.port : 0;
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
}

/** Sends the path as it is: fetch would tidy it up. */
function ask(address: string, method = "GET", headers = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request({ host: "127.0.0.1", port, path: address, method, headers }, async (response) => {
      let text = "";
      for await (const part of response) text += part;
      resolve({ status: response.statusCode, headers: response.headers, text });
    })
      .on("error", reject)
      .end();
  });
}

describe("the site's server", () => {
  it.each([
    ["/", "<!doctype html>start", "text/html; charset=utf-8"],
    ["/?from=mail", "<!doctype html>start", "text/html; charset=utf-8"],
    ["/lesson/", "<!doctype html>lesson", "text/html; charset=utf-8"],
    ["/engine.wasm", "wasm", "application/wasm"],
  ])("answers %s with its file, type and the policy", async (address, text, type) => {
    const answer = await ask(address);
    expect(answer).toMatchObject({ status: 200, text });
    expect(answer.headers["content-type"]).toBe(type);
    expect(answer.headers["content-security-policy"]).toMatch(/require-trusted-types-for 'script'/);
    expect(answer.headers["referrer-policy"]).toBe("no-referrer");
    expect(answer.headers["x-content-type-options"]).toBe("nosniff");
  });

  it("leads from a folder to its page, keeping the query", async () => {
    const answer = await ask("/lesson?seed=7");
    expect(answer.status).toBe(301);
    expect(answer.headers.location).toBe("./lesson/?seed=7");
  });

  it.each([
    "/missing.html",
    "/../secret.txt",
    "/lesson/../../secret.txt",
    "/%2e%2e/secret.txt",
    "/..%2fsecret.txt",
    "/..%5csecret.txt",
    "/%2e%2e%2fsecret.txt",
    "//../secret.txt",
    "/link.txt",
    "/%00",
    "/%",
    "/engine.wasm/",
    "/index.html/x",
  ])("finds nothing at %s", async (address) => {
    const answer = await ask(address);
    expect(answer.status).toBe(404);
    expect(answer.text).not.toContain("secret");
  });

  it("sends no content for HEAD and refuses every other method", async () => {
    expect(await ask("/", "HEAD")).toMatchObject({ status: 200, text: "" });
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"]) {
      const answer = await ask("/", method);
      expect(answer.status, method).toBe(405);
      expect(answer.headers.allow).toBe("GET, HEAD");
    }
  });

  it("sends a file again only when it has changed", async () => {
    const first = await ask("/engine.wasm");
    const known = { "If-None-Match": first.headers.etag };
    expect(await ask("/engine.wasm", "GET", known)).toMatchObject({ status: 304, text: "" });
    const since = { "If-Modified-Since": first.headers["last-modified"] };
    expect((await ask("/engine.wasm", "GET", since)).status).toBe(304);
    utimesSync(path.join(folder, "site/engine.wasm"), new Date(), new Date(Date.now() + 5000));
    expect((await ask("/engine.wasm", "GET", known)).status).toBe(200);
  });
});
