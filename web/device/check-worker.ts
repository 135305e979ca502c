// The entry of the worker that compares gradients, so that the page's thread stays free.

import { startEngine } from "../engine/load";
import type { CheckQuestion, FromCheck } from "./check-messages";
import { holdLife } from "./life";

declare const self: DedicatedWorkerGlobalScope;

const tell = (message: FromCheck) => self.postMessage(message);

async function check({ module, config, outputs, life }: CheckQuestion): Promise<void> {
  if (await holdLife(life)) tell({ type: "alive" });
  const engine = await startEngine(module);
  tell({ type: "answer", answer: engine.checkGradient(config, outputs) });
}

self.onmessage = (event: MessageEvent<CheckQuestion>) => {
  // An error in the handler must reach the page as the worker's error event.
  check(event.data).catch((reason: unknown) => self.reportError(reason));
};
