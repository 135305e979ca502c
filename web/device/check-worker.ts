// The entry of the worker that compares gradients, so that the page's thread stays free.

import { startEngine } from "../engine/load";
import type { CheckQuestion } from "./check-messages";

declare const self: DedicatedWorkerGlobalScope;

async function check({ module, config, outputs }: CheckQuestion): Promise<void> {
  const engine = await startEngine(module);
  self.postMessage(engine.checkGradient(config, outputs));
}

self.onmessage = (event: MessageEvent<CheckQuestion>) => {
  // An error in the handler must reach the page as the worker's error event.
  check(event.data).catch((reason: unknown) => self.reportError(reason));
};
