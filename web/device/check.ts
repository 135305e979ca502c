// The comparison of the devices' gradients with a single device's, in a worker of its own.

import { failure, type Result } from "../engine/result";
import type { GradientReport } from "../engine/run";
import { startWorker, stopWorker } from "../trust/worker";
import type { CheckAnswer, CheckQuestion } from "./check-messages";
import checkWorker from "./check-worker.ts?worker&url";

/** The largest batch and model that the engine takes need some seconds; past this it is lost. */
const checkLimit_ms = 60_000;

/** The report, or why there is none; nothing when `signal` was aborted first. */
export function checkOnWorker(
  question: CheckQuestion,
  signal: AbortSignal,
): Promise<Result<GradientReport> | undefined> {
  const worker = startWorker(checkWorker, "gradient check");
  let limit: ReturnType<typeof setTimeout> | undefined;
  const answer = new Promise<Result<GradientReport> | undefined>((resolve) => {
    const fail = (message: string) =>
      resolve(failure({ code: "check_failed", where: "gradient check", message }));
    const seconds = checkLimit_ms / 1000;
    limit = setTimeout(() => fail(`no answer came within ${seconds} seconds`), checkLimit_ms);
    signal.addEventListener("abort", () => resolve(undefined), { once: true });
    if (signal.aborted) resolve(undefined);
    worker.onmessage = (event: MessageEvent<CheckAnswer>) => resolve(event.data);
    worker.onmessageerror = () => fail("its worker sent what this page cannot read");
    worker.onerror = (event) => {
      event.preventDefault();
      fail(`its worker stopped with an error: ${event.message || "its script did not load"}`);
    };
    worker.postMessage(question);
  });
  return answer.finally(() => {
    clearTimeout(limit);
    stopWorker(worker);
  });
}
