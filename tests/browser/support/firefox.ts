// Debian's Firefox ESR, driven over WebDriver BiDi.

import { type KeyInput, launch } from "puppeteer-core";
import type { Browser } from "./browser";

export async function launchFirefox(): Promise<Browser> {
  const browser = await launch({
    browser: "firefox",
    executablePath: "/usr/bin/firefox-esr",
    headless: true,
  });
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (["error", "warn"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  return {
    open: async (address) => {
      await page.goto(address, { waitUntil: "load" });
    },
    evaluate: async (expression) => (await page.evaluate(expression)) as never,
    press: async (key) => {
      const isShifted = key.startsWith("Shift+");
      const name = key.replace("Shift+", "").replace("Space", " ") as KeyInput;
      if (isShifted) await page.keyboard.down("Shift");
      await page.keyboard.press(name);
      if (isShifted) await page.keyboard.up("Shift");
    },
    resize: (width, height) => page.setViewport({ width, height }),
    screenshot: () => page.screenshot(),
    complaints: async () => complaints,
    close: () => browser.close(),
  };
}
