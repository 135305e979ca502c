// WebKitGTK's MiniBrowser on a screen in memory, driven over classic WebDriver by plain requests.

import { type ChildProcess, spawn } from "node:child_process";
import { createServer } from "node:net";
import type { Browser, KeyName } from "./browser";

const startLimit_ms = 20_000;
/** A command that takes longer hangs: an error then, not a test that never ends. */
const commandLimit_ms = 30_000;

/** WebDriver's code points for keys that are not characters. */
const keyCodes: Readonly<Record<KeyName, string>> = {
  Tab: "\uE004",
  "Shift+Tab": "\uE004",
  Enter: "\uE007",
  Space: " ",
  Escape: "\uE00C",
  ArrowLeft: "\uE012",
  ArrowRight: "\uE014",
  ArrowUp: "\uE013",
  ArrowDown: "\uE015",
  Home: "\uE011",
  End: "\uE010",
};
const shift = "\uE008";

export async function launchWebkit(): Promise<Browser> {
  const screen = await startScreen();
  const driver = await startDriver(screen.display);
  const stop = (): void => {
    driver.child.kill();
    screen.child.kill();
  };
  process.once("exit", stop);
  try {
    return browserOf(await openSession(driver.address), stop);
  } catch (error) {
    stop();
    throw error;
  }
}

/** A virtual screen under a number that Xvfb finds free and tells on its descriptor 3. */
async function startScreen(): Promise<{ child: ChildProcess; display: string }> {
  const child = spawn("/usr/bin/Xvfb", ["-displayfd", "3", "-screen", "0", "1600x1200x24"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  const told = child.stdio[3];
  if (!told) throw new Error("Xvfb has no descriptor to tell its screen number on");
  const number = await new Promise<string>((resolve, reject) => {
    told.once("data", (text) => resolve(String(text).trim()));
    child.once("exit", (code) => reject(new Error(`Xvfb ended with ${code}`)));
  });
  return { child, display: `:${number}` };
}

async function startDriver(display: string): Promise<{ child: ChildProcess; address: string }> {
  const port = await freePort();
  const child = spawn("/usr/bin/WebKitWebDriver", [`--port=${port}`], {
    stdio: "ignore",
    env: {
      ...process.env,
      DISPLAY: display,
      GDK_BACKEND: "x11",
      // Without compositing (WEBKIT_DISABLE_COMPOSITING_MODE) a screenshot never comes.
      LIBGL_ALWAYS_SOFTWARE: "1",
      // As root (in a container) WebKit's own sandbox cannot start.
      ...(process.getuid?.() === 0 ? { WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1" } : {}),
    },
  });
  const address = `http://127.0.0.1:${port}`;
  await waitUntilReady(`${address}/status`);
  return { child, address };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}

async function waitUntilReady(address: string): Promise<void> {
  const end = Date.now() + startLimit_ms;
  while (Date.now() < end) {
    const answer = await fetch(address).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`WebKitWebDriver did not answer within ${startLimit_ms} ms`);
}

/** This driver tells nothing of the console, so uncaught errors are listened for in the page. */
const listenForErrors = `
  globalThis.uncaughtErrors = [];
  addEventListener('error', (event) => uncaughtErrors.push(String(event.message)));
  addEventListener('unhandledrejection', (event) => uncaughtErrors.push(String(event.reason)));`;

/** Sends one command of a session and gives its value. */
type Command = (method: "GET" | "POST" | "DELETE", path: string, body?: object) => Promise<unknown>;

async function openSession(driver: string): Promise<Command> {
  const browserOptions = {
    binary: miniBrowser(),
    args: ["--automation"],
  };
  const created = (await command(driver, "POST", "/session", {
    capabilities: { alwaysMatch: { "webkitgtk:browserOptions": browserOptions } },
  })) as { sessionId: string };
  return (method, path, body) =>
    command(driver, method, `/session/${created.sessionId}${path}`, body);
}

function miniBrowser(): string {
  const architecture = { x64: "x86_64", arm64: "aarch64" }[process.arch as string];
  return `/usr/lib/${architecture}-linux-gnu/webkit2gtk-4.1/MiniBrowser`;
}

async function command(
  driver: string,
  method: string,
  path: string,
  body?: object,
): Promise<unknown> {
  const answer = await fetch(driver + path, {
    method,
    signal: AbortSignal.timeout(commandLimit_ms),
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const { value } = (await answer.json()) as { value: unknown };
  if (!answer.ok) throw new Error(`${method} ${path}: ${JSON.stringify(value)}`);
  return value;
}

function browserOf(session: Command, stop: () => void): Browser {
  return {
    open: async (url) => {
      await session("POST", "/url", { url });
      await session("POST", "/execute/sync", { script: listenForErrors, args: [] });
    },
    evaluate: async (expression) => (await evaluate(session, expression)) as never,
    press: async (key) => {
      const code = keyCodes[key as KeyName] ?? key;
      const held = key.startsWith("Shift+") ? [shift] : [];
      const actions = [
        ...held.map((value) => ({ type: "keyDown", value })),
        { type: "keyDown", value: code },
        { type: "keyUp", value: code },
        ...held.map((value) => ({ type: "keyUp", value })),
      ];
      await session("POST", "/actions", { actions: [{ type: "key", id: "keyboard", actions }] });
      // The driver answers before the page has taken the key in, and refuses a key to a page that
      // is still drawing.
      await evaluate(session, "new Promise((drawn) => requestAnimationFrame(() => drawn(0)))");
    },
    resize: (width, height) => resize(session, width, height),
    screenshot: async () => Buffer.from((await session("GET", "/screenshot")) as string, "base64"),
    complaints: async () =>
      (await evaluate(session, "globalThis.uncaughtErrors")) as readonly string[],
    close: async () => {
      await session("DELETE", "").catch(() => undefined);
      stop();
    },
  };
}

/** WebDriver sizes the window, which has a tool bar above the view and a least width (447). */
async function resize(session: Command, width: number, height: number): Promise<void> {
  const view = async (script: string): Promise<unknown> =>
    session("POST", "/execute/sync", { script, args: [] });
  const bar = (await view("return outerHeight - innerHeight")) as number;
  await session("POST", "/window/rect", { width, height: height + bar });
  const reached = (await view("return innerWidth")) as number;
  if (reached !== width) throw new Error(`WebKitGTK made the view ${reached} wide, not ${width}`);
}

/**
 * Only with scripts that answer at once: the driver's asynchronous ones fail now and then ("Could
 * not parse script result"). A promise is asked for until it is settled.
 */
async function evaluate(session: Command, expression: string): Promise<unknown> {
  const run = (script: string) => session("POST", "/execute/sync", { script, args: [] });
  let text = await run(`const value = ${expression};
    if (typeof value?.then !== "function") return JSON.stringify({ value });
    const settled = (globalThis.settledPromise = {});
    value.then((value) => { settled.text = JSON.stringify({ value }); },
      (error) => { settled.text = JSON.stringify({ error: String(error) }); });
    return null;`);
  while (text === null) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    text = await run("return globalThis.settledPromise.text ?? null");
  }
  const { value, error } = JSON.parse(text as string) as { value?: unknown; error?: string };
  if (error !== undefined) throw new Error(error);
  return value;
}
