import { createServer } from "node:http";
import { afterEach, describe, expect, it, vi } from "vitest";
import { compileEngine } from "../../web/engine/load";

/** An address at which one answer is given. */
async function answering(status: number, content: string): Promise<string> {
  const server = createServer((_, response) => response.writeHead(status).end(content));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/engine.wasm`;
}

describe("loading the engine", () => {
  afterEach(() => vi.unstubAllGlobals());

  it("says that the file is missing", async () => {
    const compiled = await compileEngine(await answering(404, "not found"));
    expect(compiled).toMatchObject({ error: { code: "engine_missing", where: "engine" } });
  });

  it("says that the server is gone", async () => {
    const compiled = await compileEngine("http://127.0.0.1:1/engine.wasm");
    expect(compiled).toMatchObject({ error: { code: "engine_missing" } });
  });

  it("says that what came is no engine", async () => {
    const compiled = await compileEngine(await answering(200, "<!doctype html>"));
    expect(compiled).toMatchObject({ error: { code: "engine_unreadable" } });
  });

  it("says that there is no WebAssembly", async () => {
    vi.stubGlobal("WebAssembly", undefined);
    expect(await compileEngine("engine.wasm")).toMatchObject({ error: { code: "no_webassembly" } });
  });
});
