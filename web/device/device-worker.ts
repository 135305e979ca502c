// The entry of a device's worker.

import { hostDevice } from "./device-host";
import type { ToDevice } from "./messages";

declare const self: DedicatedWorkerGlobalScope;

const handle = hostDevice((message, transfer) => self.postMessage(message, transfer));

self.onmessage = (event: MessageEvent<ToDevice>) => {
  // An error in the handler must reach the page as the worker's error event.
  handle(event.data).catch((reason: unknown) => {
    self.reportError(reason);
  });
};
