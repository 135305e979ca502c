// A learner who has a keyboard and nothing else.

import type { Browser, Character, KeyName } from "./browser";
import { waitUntil } from "./wait";

/** More stops than any page of ours has. */
const stopsMost = 300;

/**
 * The element that has the focus, looked for through shadow roots, as a path of what can be named:
 * "lockstep-question[wall-clock-model] input[evenly-shared]".
 */
const focusPath = `(() => {
  const path = [];
  for (let node = document.activeElement; node; node = node.shadowRoot?.activeElement) {
    const name = node.id || node.value || node.textContent.trim().slice(0, 40);
    path.push(node.localName + "[" + (node.question ?? node.experiment?.id ?? name) + "]");
  }
  return path.join(" ");
})()`;

export class Keyboard {
  constructor(private readonly browser: Browser) {}

  async press(...keys: readonly (KeyName | Character)[]): Promise<void> {
    for (const key of keys) await this.browser.press(key);
  }

  /** Types a text, letter by letter. */
  async type(text: string): Promise<void> {
    for (const letter of text) {
      await this.browser.press(letter === " " ? "Space" : (letter as Character));
    }
  }

  /** Where the focus is. */
  focus(): Promise<string> {
    return this.browser.evaluate(focusPath);
  }

  /** Presses Tab until the focus is where `wanted` says; the places passed are in the error. */
  async tabTo(wanted: RegExp): Promise<void> {
    const passed: string[] = [];
    while (passed.length < stopsMost) {
      const focus = await this.focus();
      if (wanted.test(focus)) return;
      passed.push(focus);
      await this.browser.press("Tab");
    }
    throw new Error(`Tab never reached ${wanted}:\n${passed.join("\n")}`);
  }

  /** Waits until an expression of the page is true. */
  until(expression: string): Promise<void> {
    return waitUntil(this.browser, expression);
  }
}
