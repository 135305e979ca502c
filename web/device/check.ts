// The comparison of the devices' gradients with a single device's, in a worker of its own.

import { failure, type Result } from "../engine/result";
import type { GradientReport } from "../engine/run";
import { startWorker, stopWorker } from "../trust/worker";
import type { CheckQuestion, FromCheck } from "./check-messages";
import checkWorker from "./check-worker.ts?worker&url";
import { awaitDeath, newLife } from "./life";

/** The largest batch and model that the engine takes need some seconds; past this it is lost. */
const checkLimit_ms = 60_000;

/** The report, or why there is none; nothing when `signal` was aborted first. */
export function checkOnWorker(
  question: Omit<CheckQuestion, "life">,
  signal: AbortSignal,
): Promise<Result<GradientReport> | undefined> {
  const life = newLife("gradient check");
  const ended = new AbortController();
  return new Promise((resolve) => {
    let worker: Worker | undefined;
    const end = (answer: Result<GradientReport> | undefined) => {
      clearTimeout(limit);
      ended.abort();
      if (worker) stopWorker(worker);
      resolve(answer);
    };
    const fail = (what: string) => {
      const message = `the gradient check ${what}`;
      end(failure({ code: "check_failed", where: "gradient check", message }));
    };
    const seconds = checkLimit_ms / 1000;
    const limit = setTimeout(() => fail(`gave no answer in ${seconds} seconds`), checkLimit_ms);
    if (signal.aborted) return end(undefined);
    signal.addEventListener("abort", () => end(undefined), { signal: ended.signal });
    try {
      worker = startWorker(checkWorker, "gradient check");
    } catch (reason) {
      return fail(`was given no worker by this browser: ${String(reason)}`);
    }
    worker.onmessage = ({ data }: MessageEvent<FromCheck>) => {
      if (data.type === "answer") end(data.answer);
      else awaitDeath(life, ended.signal, () => fail("is gone: its worker was ended from outside"));
    };
    worker.onmessageerror = () => fail("sent what this page cannot read");
    worker.onerror = (event) => {
      event.preventDefault();
      fail(`stopped with an error: ${event.message || "its script could not be loaded"}`);
    };
    worker.postMessage({ ...question, life } satisfies CheckQuestion);
  });
}
