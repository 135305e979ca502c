// Device hosts on one thread of Node, joined by the same message channels that join workers.

import { hostDevice } from "../../../web/device/device-host";
import type { DeviceDone, FromDevice } from "../../../web/device/messages";
import { joinAll } from "../../../web/device/wiring";
import type { EngineError } from "../../../web/engine/result";
import type { RunConfig } from "../../../web/engine/run";
import { compiledEngine } from "./engine";

export interface HostedRun {
  /** What each device told, by rank, in order. */
  readonly told: readonly FromDevice[][];
  readonly done: readonly DeviceDone[];
  readonly errors: readonly EngineError[];
}

/**
 * Runs all devices until all are done or one has failed. `intrude` may send what it likes over the
 * ports (first index: the sender) before the devices begin.
 */
export async function runHosts(
  config: RunConfig,
  devices: number,
  intrude: (ports: readonly (readonly (MessagePort | null)[])[]) => void = () => {},
): Promise<HostedRun> {
  const module = await compiledEngine();
  const ports = joinAll(devices);
  const told: FromDevice[][] = ports.map(() => []);
  await new Promise<void>((resolve) => {
    let done = 0;
    const hosts = told.map((heard) =>
      hostDevice((message) => {
        heard.push(message);
        if (message.type === "done") done += 1;
        if (message.type === "failed" || done === devices) resolve();
      }),
    );
    const prepared = hosts.map((host, rank) =>
      host({ type: "prepare", module, config, rank, life: `${rank}`, peers: ports[rank] ?? [] }),
    );
    void Promise.all(prepared).then(() => {
      intrude(ports);
      for (const host of hosts) void host({ type: "run" });
    });
  });
  for (const port of ports.flat()) port?.close();
  const all = told.flat();
  return {
    told,
    done: all.flatMap((message) => (message.type === "done" ? [message.result] : [])),
    errors: all.flatMap((message) => (message.type === "failed" ? [message.error] : [])),
  };
}
