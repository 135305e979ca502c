// One small interface over the three browser engines, so that a test is written once.

import { existsSync } from "node:fs";
import { launchChromium } from "./chromium";
import { launchFirefox } from "./firefox";
import { launchWebkit } from "./webkit";

/** A running browser with one window. */
export interface Browser {
  /** Loads an address and waits for its load event. */
  open(address: string): Promise<void>;
  /** The value of a JavaScript expression (JSON values only); a promise is awaited. */
  evaluate<Value>(expression: string): Promise<Value>;
  /** Presses and lets go one key: a character, or a name in `keyNames`. */
  press(key: KeyName | Character): Promise<void>;
  /** Sets the size of the page's view in CSS pixels. */
  resize(width: number, height: number): Promise<void>;
  /** A PNG of the view. */
  screenshot(): Promise<Uint8Array>;
  /**
   * Errors and warnings of the console and uncaught errors; of WebKitGTK, whose driver has no
   * console, uncaught errors after the load event.
   */
  complaints(): Promise<readonly string[]>;
  close(): Promise<void>;
}

export type Character = string & { length: 1 };
export const keyNames = [
  "Tab",
  "Shift+Tab",
  "Enter",
  "Space",
  "Escape",
  "ArrowLeft",
  "ArrowRight",
  "ArrowUp",
  "ArrowDown",
  "Home",
  "End",
] as const;
export type KeyName = (typeof keyNames)[number];

/** What the system prefers; only Chromium can be asked for dark here. */
export type ColorScheme = "light" | "dark";

/** A browser engine: how it is found and started. */
interface Engine {
  readonly name: "Chromium" | "Firefox" | "WebKitGTK";
  /** Programs that must be there, each with the Debian package that brings it. */
  readonly needs: Readonly<Record<string, string>>;
  readonly launch: (scheme: ColorScheme) => Promise<Browser>;
}

export const engines: readonly Engine[] = [
  {
    name: "Chromium",
    needs: { "/usr/bin/chromium": "chromium" },
    launch: launchChromium,
  },
  {
    name: "Firefox",
    needs: { "/usr/bin/firefox-esr": "firefox-esr" },
    launch: launchFirefox,
  },
  {
    name: "WebKitGTK",
    needs: { "/usr/bin/WebKitWebDriver": "webkit2gtk-driver", "/usr/bin/Xvfb": "xvfb" },
    launch: launchWebkit,
  },
];

/** Starts a browser; one that is not installed is an error that says how to install it. */
export async function launch(engine: Engine, scheme: ColorScheme = "light"): Promise<Browser> {
  const missing = Object.entries(engine.needs).filter(([program]) => !existsSync(program));
  if (missing.length > 0) {
    const packages = missing.map(([, name]) => name).join(" ");
    throw new Error(`${engine.name} is not installed. Install it: apt-get install ${packages}`);
  }
  return engine.launch(scheme);
}
