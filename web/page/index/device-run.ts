// <lockstep-device-run>: choose how many devices, run them, see what each did and the verdict.
//
// Attributes it sets: `data-state` ("loading", "idle", "running", "done", "failed", "cancelled",
// "unavailable") and, once done, `data-gradient-hash` (16 hexadecimal digits).
// `DeviceRun.engineAddress` must be set to the address of the WebAssembly file before the first
// element is made.

import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { type ExperimentOutcome, runExperiment } from "../../device/experiment";
import type { Engine } from "../../engine/engine";
import { compileEngine, startEngine } from "../../engine/load";
import { type EngineError, failure, type Result } from "../../engine/result";
import type { RunConfig } from "../../engine/run";
import { controlStyle } from "../../view/controls";
import { deviceRunStyle } from "./device-run-style";
import {
  deviceTable,
  errorNotice,
  type ShownRun,
  statusText,
  verdictView,
} from "./device-run-view";

const devicesMost = 16;

export type State =
  | { readonly type: "loading" | "idle" | "running" }
  | { readonly type: "unavailable"; readonly error: EngineError }
  | ExperimentOutcome;

export class DeviceRun extends LitElement {
  static engineAddress = "";
  static override styles = [controlStyle, deviceRunStyle];
  static override properties = {
    state: { state: true },
    devices: { state: true },
    weighted: { state: true },
    shown: { state: true },
  };

  declare private state: State;
  declare private devices: number;
  declare private weighted: boolean;
  /** The last run that was planned, and how far its devices are. */
  declare private shown: ShownRun | undefined;
  private loaded: { engine: Engine; module: WebAssembly.Module } | undefined;
  private canceller = new AbortController();

  constructor() {
    super();
    this.state = { type: "loading" };
    this.devices = 4;
    this.weighted = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.load();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.canceller.abort();
  }

  override render(): TemplateResult {
    return html`
      ${this.form()}
      <p class="status" role="status">${statusText(this.state, this.shown)}</p>
      ${"error" in this.state ? errorNotice(this.state) : nothing}
      ${this.state.type === "done" && this.shown ? verdictView(this.state, this.shown) : nothing}
      ${this.shown ? deviceTable(this.shown, this.state) : nothing}
    `;
  }

  protected override updated(changed: PropertyValues): void {
    if (!changed.has("state")) return;
    this.dataset.state = this.state.type;
    if (this.state.type === "done") this.dataset.gradientHash = this.state.report.hash;
    else delete this.dataset.gradientHash;
  }

  private form(): TemplateResult {
    const isRunning = this.state.type === "running";
    const canRun = !isRunning && this.loaded !== undefined;
    return html`
      <form @submit=${this.onSubmit}>
        <div class="field">
          <label for="devices">Devices <output for="devices">${this.devices}</output></label>
          <input id="devices" type="range" min="1" max=${devicesMost} .value=${`${this.devices}`}
            @input=${this.onDevices}>
        </div>
        <div class="choice">
          <input id="weighted" type="checkbox" .checked=${this.weighted} @change=${this.onWeighted}
            aria-describedby="weighted-why">
          <label for="weighted">Weigh each device by its rows</label>
          <small id="weighted-why">
            Needed when the devices cannot have equal shares of the batch.
          </small>
        </div>
        <div class="actions">
          <button class="primary" aria-disabled=${canRun ? "false" : "true"}>Run</button>
          <button type="button" aria-disabled=${isRunning ? "false" : "true"}
            @click=${this.onCancel}>Cancel</button>
        </div>
      </form>
    `;
  }

  private readonly onDevices = (event: Event): void => {
    this.devices = (event.target as HTMLInputElement).valueAsNumber;
  };

  private readonly onWeighted = (event: Event): void => {
    this.weighted = (event.target as HTMLInputElement).checked;
  };

  private readonly onSubmit = (event: Event): void => {
    event.preventDefault();
    if (this.loaded && this.state.type !== "running") void this.start(this.loaded);
  };

  private readonly onCancel = (): void => {
    this.canceller.abort();
  };

  private async load(): Promise<void> {
    if (this.loaded) return;
    const loaded = await loadEngine(DeviceRun.engineAddress);
    if (loaded.type === "error") {
      this.state = { type: "unavailable", error: loaded.error };
    } else {
      this.loaded = loaded.value;
      this.state = { type: "idle" };
    }
  }

  private async start(loaded: { engine: Engine; module: WebAssembly.Module }): Promise<void> {
    this.canceller = new AbortController();
    this.state = { type: "running" };
    this.shown = undefined;
    const config: RunConfig = {
      strategy: "data_parallel",
      devices: this.devices,
      weighted: this.weighted,
    };
    this.state = await runExperiment({
      ...loaded,
      config,
      signal: this.canceller.signal,
      onPlanned: (description) => {
        this.shown = { description, progress: [] };
      },
      onProgress: (progress) => {
        if (!this.shown) return;
        const known = [...this.shown.progress];
        known[progress.rank] = progress;
        this.shown = { ...this.shown, progress: known };
      },
    });
  }
}

/** The engine of this page and its compiled form for the workers. */
async function loadEngine(
  address: string,
): Promise<Result<{ engine: Engine; module: WebAssembly.Module }>> {
  if (typeof Worker !== "function") {
    return failure({
      code: "no_workers",
      where: "page",
      message:
        "This browser has no Web Workers, and the devices of this page are workers. Open the " +
        "page in a current browser.",
    });
  }
  const compiled = await compileEngine(address);
  if (compiled.type === "error") return compiled;
  try {
    const engine = await startEngine(compiled.value);
    return { type: "value", value: { engine, module: compiled.value } };
  } catch (reason) {
    return failure({
      code: "engine_refused",
      where: "engine",
      message: `This browser could not start the engine: ${String(reason)}`,
    });
  }
}
