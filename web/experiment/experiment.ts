// <lockstep-experiment>: a run on real devices, one Web Worker each, with its verdict, its pictures
// and its code.
//
// Properties: `running`, the page's engine; `experiment`, one of a lesson.
// Attributes it sets: `data-state` ("idle", "running", "done", "failed", "cancelled") and, once
// done, `data-gradient-hash` (16 hexadecimal digits).

import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { DeviceProgress } from "../device/cluster";
import { type ExperimentOutcome, runExperiment } from "../device/experiment";
import type { DeviceDone } from "../device/messages";
import type { Experiment } from "../engine/lesson-page";
import type { RunningEngine } from "../engine/load";
import type { Result } from "../engine/result";
import type { RunConfig, RunDescription } from "../engine/run";
import { controlStyle } from "../view/controls";
import { prose } from "../view/prose";
import { setupControls } from "./controls-view";
import { experimentStyle } from "./experiment-style";
import {
  deviceTable,
  errorNotice,
  type ShownRun,
  statusView,
  verdictView,
} from "./experiment-view";
import { picturesView, type RunPictures } from "./pictures-view";
import { configOf, type Setup, setupOf } from "./setup";

export type State = { readonly type: "idle" | "running" } | ExperimentOutcome;

export class ExperimentElement extends LitElement {
  static override styles = [controlStyle, experimentStyle];
  static override properties = {
    running: { attribute: false },
    experiment: { attribute: false },
    state: { state: true },
    setup: { state: true },
    shown: { state: true },
    pictures: { state: true },
  };

  declare running: RunningEngine;
  declare experiment: Experiment;
  declare private state: State;
  declare private setup: Setup;
  /** The last run. */
  declare private shown: ShownRun | undefined;
  declare private pictures: RunPictures | undefined;
  /** The run that would be started now, or why there is none. */
  private planned: Result<RunDescription> | undefined;
  /** How far the devices are, by rank; shown at most once a frame. */
  private progress: DeviceProgress[] = [];
  private frame: number | undefined;
  private canceller = new AbortController();

  constructor() {
    super();
    this.state = { type: "idle" };
  }

  override connectedCallback(): void {
    super.connectedCallback();
    window.addEventListener("pagehide", this.onCancel);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener("pagehide", this.onCancel);
    this.onCancel();
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("experiment")) this.setup = setupOf(this.experiment);
    if (changed.has("experiment") || changed.has("running") || changed.has("setup")) {
      this.planned = this.running.engine.describeRun(this.config);
    }
  }

  override render(): TemplateResult {
    const { experiment, shown, state, planned } = this;
    const description = shown?.description ?? (planned?.type === "value" && planned.value);
    return html`
      <h3>${experiment.title}</h3>
      ${prose(experiment.text)}
      ${this.form()}
      ${statusView(state, shown, planned?.type === "value")}
      <div role="alert">${state.type === "failed" ? errorNotice(state.error) : nothing}</div>
      ${state.type === "done" && shown ? verdictView(state.report, shown.description) : nothing}
      ${shown ? deviceTable(shown) : nothing}
      ${this.pictures && shown ? picturesView(this.pictures, shown) : nothing}
      ${
        description
          ? html`<lockstep-experiment-code .description=${description}></lockstep-experiment-code>`
          : nothing
      }
    `;
  }

  protected override updated(changed: PropertyValues): void {
    if (!changed.has("state")) return;
    this.dataset.state = this.state.type;
    if (this.state.type === "done") this.dataset.gradientHash = this.state.report.hash;
    else delete this.dataset.gradientHash;
  }

  private form(): TemplateResult {
    const { planned } = this;
    const isRunning = this.state.type === "running";
    return html`
      <form @submit=${this.onSubmit}>
        ${setupControls(this.experiment, this.setup, (change) => {
          this.setup = { ...this.setup, ...change };
        })}
        <div class="refusal" role="status"
          >${planned?.type === "error" ? errorNotice(planned.error) : nothing}</div>
        <div class="actions">
          <button class="primary" aria-disabled=${!this.canRun}>Run</button>
          <button type="button" aria-disabled=${!isRunning} @click=${this.onCancel}>Cancel</button>
        </div>
      </form>
    `;
  }

  private get config(): RunConfig {
    return configOf(this.experiment, this.setup);
  }

  private get canRun(): boolean {
    return this.state.type !== "running" && this.planned?.type === "value";
  }

  private readonly onSubmit = (event: Event): void => {
    event.preventDefault();
    if (this.canRun) void this.run();
  };

  private readonly onCancel = (): void => {
    this.canceller.abort();
  };

  private async run(): Promise<void> {
    this.canceller = new AbortController();
    this.state = { type: "running" };
    this.shown = undefined;
    this.pictures = undefined;
    this.progress = [];
    const config = this.config;
    const outcome = await runExperiment({
      ...this.running,
      config,
      signal: this.canceller.signal,
      onPlanned: (description) => {
        this.shown = { description, progress: [] };
        this.draw(({ engine }) => ({ simulated: engine.drawRun(config) }));
      },
      onProgress: (progress) => {
        this.progress[progress.rank] = progress;
        this.frame ??= requestAnimationFrame(this.showProgress);
      },
      onRan: (devices) => this.showRan(devices, config),
    });
    this.showProgress();
    this.state = outcome;
  }

  private readonly showProgress = (): void => {
    if (this.frame !== undefined) cancelAnimationFrame(this.frame);
    this.frame = undefined;
    if (this.shown) this.shown = { ...this.shown, progress: [...this.progress] };
  };

  private showRan(devices: readonly DeviceDone[], config: RunConfig): void {
    if (this.shown) this.shown = { ...this.shown, devices };
    const spans = devices.map((device) => device.spans);
    this.draw(({ engine }) => ({ measured: engine.drawMeasured(config, spans) }));
  }

  /**
   * Adds pictures of this run. To draw them and to set them into the page are two tasks of their
   * own: with 16 devices each takes a few hundredths of a second.
   */
  private draw(pictures: (running: RunningEngine) => RunPictures): void {
    const run = this.canceller;
    setTimeout(() => {
      if (run !== this.canceller) return;
      const drawn = pictures(this.running);
      setTimeout(() => {
        if (run === this.canceller) this.pictures = { ...this.pictures, ...drawn };
      });
    });
  }
}
