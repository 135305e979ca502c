// Debian's Chromium, driven over its own protocol.

import { chromium } from "playwright-core";
import type { Browser, ColorScheme } from "./browser";

export async function launchChromium(scheme: ColorScheme): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    // As root (in a container) Chromium's own sandbox cannot start.
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
  });
  const page = await browser.newPage({ colorScheme: scheme });
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  return {
    open: async (address) => {
      await page.goto(address, { waitUntil: "load" });
    },
    evaluate: (expression) => page.evaluate(expression),
    press: (key) => page.keyboard.press(key),
    resize: (width, height) => page.setViewportSize({ width, height }),
    screenshot: () => page.screenshot(),
    complaints: async () => complaints,
    close: () => browser.close(),
  };
}
