// Waiting for a page to come to a state.

import type { Browser } from "./browser";

/** Of a hang, not of speed. */
const waitLimit_ms = 30_000;

/** Waits until the expression is true, or says what it is in the end. */
export async function waitUntil(browser: Browser, expression: string): Promise<void> {
  const end = Date.now() + waitLimit_ms;
  let last: unknown;
  while (Date.now() < end) {
    last = await browser.evaluate(expression);
    if (last === true) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`${expression} is ${JSON.stringify(last)} after ${waitLimit_ms} ms`);
}
