// A run on Web Workers: one worker a device, every two of them joined by a MessageChannel. The
// first device that fails ends the run; all workers are stopped whichever way it ends.

import type { EngineError } from "../engine/result";
import type { DeviceCounters, RunConfig } from "../engine/run";
import { startWorker, stopWorker } from "../trust/worker";
import deviceWorker from "./device-worker.ts?worker&url";
import { awaitDeath, newLife } from "./life";
import type { DeviceDone, FromDevice, ToDevice } from "./messages";
import { joinAll } from "./wiring";

/** The page looks after its workers so often. */
const lookEvery_ms = 250;
/**
 * Looks (1.5 s) after which a worker that has not started is named, and looks (20 s) after which it
 * counts as failed. In between lie machines that are slow or busy, and their learner can cancel.
 */
const lateLooks = 6;
const startingLooksMax = 80;
/**
 * Where a worker can hold no lock (life.ts), looks without a sign of life (1.5 s) after which it
 * counts as gone. Looks are counted, not time, so that a page that was asleep blames nobody.
 */
const silentLooksMax = 6;

export interface ClusterRun {
  readonly module: WebAssembly.Module;
  readonly config: RunConfig;
  readonly devices: number;
  /** Ends the run at once, as `cancelled`. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: DeviceProgress) => void;
}

/** How far a device is. */
export interface DeviceProgress {
  readonly rank: number;
  /** Late: still starting, and longer than is usual. */
  readonly state: "starting" | "late" | "ready" | "running" | "done";
  readonly instructions: number;
  readonly counters?: DeviceCounters;
}

export type ClusterOutcome =
  | { readonly type: "done"; readonly devices: readonly DeviceDone[] }
  | { readonly type: "failed"; readonly error: EngineError }
  | { readonly type: "cancelled" };

/** Runs all devices to the end. Errors name the device: `where` is "device R" or begins so. */
export function runOnWorkers(run: ClusterRun): Promise<ClusterOutcome> {
  return new Promise((resolve) => new Cluster(run, resolve));
}

/** A device as the page sees it. */
interface Member {
  readonly worker: Worker;
  /** The lock that the worker holds. */
  readonly life: string;
  holdsLife: boolean;
  state: DeviceProgress["state"];
  silentLooks: number;
  result?: DeviceDone;
}

class Cluster {
  private readonly members: Member[] = [];
  private readonly looks: ReturnType<typeof setInterval>;
  private readonly ended = new AbortController();
  private readonly cancel = () => this.end({ type: "cancelled" });

  constructor(
    private readonly run: ClusterRun,
    private readonly resolve: (outcome: ClusterOutcome) => void,
  ) {
    this.looks = setInterval(() => this.look(), lookEvery_ms);
    run.signal.addEventListener("abort", this.cancel);
    if (run.signal.aborted) this.cancel();
    else this.startAll();
  }

  private startAll(): void {
    const ports = joinAll(this.run.devices);
    for (const [rank, peers] of ports.entries()) {
      try {
        this.start(rank, peers);
      } catch (reason) {
        const message = `this browser starts no worker for device ${rank}: ${String(reason)}`;
        this.fail(rank, "device_refused", message);
        return;
      }
    }
  }

  private start(rank: number, peers: readonly (MessagePort | null)[]): void {
    const worker = startWorker(deviceWorker, `device ${rank}`);
    const life = newLife(`device ${rank}`);
    const member: Member = { worker, life, holdsLife: false, state: "starting", silentLooks: 0 };
    this.members[rank] = member;
    worker.onmessage = (event: MessageEvent<FromDevice>) => this.hear(rank, member, event.data);
    worker.onerror = (event) => {
      event.preventDefault();
      const reason = event.message || "its script could not be loaded";
      this.fail(rank, "device_threw", `device ${rank} stopped with an error: ${reason}`);
    };
    worker.onmessageerror = () =>
      this.fail(rank, "device_unreadable", `device ${rank} sent what this page cannot read`);
    const { module, config } = this.run;
    const message: ToDevice = { type: "prepare", module, config, rank, life, peers };
    worker.postMessage(
      message,
      peers.filter((port) => port !== null),
    );
    this.tell(rank, member, 0);
  }

  private hear(rank: number, member: Member, message: FromDevice): void {
    member.silentLooks = 0;
    switch (message.type) {
      case "alive":
        member.holdsLife = message.holdsLife;
        if (message.holdsLife) {
          awaitDeath(member.life, this.ended.signal, () => this.failAsGone(rank));
        }
        return;
      case "ready":
        member.state = "ready";
        this.tell(rank, member, 0);
        if (this.members.every((other) => other.state === "ready")) this.begin();
        return;
      case "progress":
        this.tell(rank, member, message.instructions, message.counters);
        return;
      case "done":
        member.state = "done";
        member.result = message.result;
        this.tell(rank, member, message.result.spans.length / 3, message.result.counters);
        this.endIfAllDone();
        return;
      case "failed":
        this.end({ type: "failed", error: message.error });
    }
  }

  /** All together, so that their spans show the run and not the start of the workers. */
  private begin(): void {
    for (const member of this.members) {
      member.state = "running";
      member.worker.postMessage({ type: "run" } satisfies ToDevice);
    }
  }

  private endIfAllDone(): void {
    const devices = this.members.flatMap(({ result }) => (result ? [result] : []));
    if (devices.length === this.run.devices) this.end({ type: "done", devices });
  }

  private look(): void {
    for (const [rank, member] of this.members.entries()) {
      member.silentLooks += 1;
      if (member.state === "starting" && member.silentLooks >= lateLooks) {
        member.state = "late";
        this.tell(rank, member, 0);
      }
      const isLost = member.state === "late" && member.silentLooks > startingLooksMax;
      const isSilent = member.state === "running" && member.silentLooks > silentLooksMax;
      if (isLost) this.fail(rank, "device_late", `device ${rank} did not start`);
      else if (isSilent && !member.holdsLife) this.failAsGone(rank);
    }
  }

  private failAsGone(rank: number): void {
    this.fail(rank, "device_gone", `device ${rank} is gone: its worker was ended from outside`);
  }

  private fail(rank: number, code: string, message: string): void {
    this.end({ type: "failed", error: { code, where: `device ${rank}`, message } });
  }

  private end(outcome: ClusterOutcome): void {
    clearInterval(this.looks);
    this.ended.abort();
    this.run.signal.removeEventListener("abort", this.cancel);
    for (const { worker } of this.members) {
      // What a stopped worker had already sent may still arrive.
      worker.onmessage = null;
      worker.onerror = null;
      stopWorker(worker);
    }
    this.resolve(outcome);
  }

  private tell(
    rank: number,
    member: Member,
    instructions: number,
    counters?: DeviceCounters,
  ): void {
    const progress = { rank, state: member.state, instructions };
    this.run.onProgress(counters ? { ...progress, counters } : progress);
  }
}
