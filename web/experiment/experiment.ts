// <lockstep-experiment>: a run on real devices, one Web Worker each, with its verdict, its pictures
// and its code.
//
// Properties: `running`, the page's engine; `experiment`, one of a lesson.
// Attributes it sets: `data-state` ("idle", "running", "done", "failed", "cancelled") and, once
// done, `data-gradient-hash` (16 hexadecimal digits).

import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { type ExperimentOutcome, runExperiment } from "../device/experiment";
import type { Experiment } from "../engine/lesson-page";
import type { RunningEngine } from "../engine/load";
import { controlStyle } from "../view/controls";
import { prose } from "../view/prose";
import { codeView } from "./code-view";
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
import { loadSource, type SourceFile } from "./source";

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
    source: { state: true },
  };

  declare running: RunningEngine;
  declare experiment: Experiment;
  declare private state: State;
  declare private setup: Setup;
  /** The last run that was planned, and how far its devices are. */
  declare private shown: ShownRun | undefined;
  declare private pictures: RunPictures | undefined;
  declare private source: readonly SourceFile[] | undefined;
  private canceller = new AbortController();

  constructor() {
    super();
    this.state = { type: "idle" };
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.canceller.abort();
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("experiment")) this.setup = setupOf(this.experiment);
  }

  override render(): TemplateResult {
    const { experiment, shown, state } = this;
    return html`
      <h3>${experiment.title}</h3>
      ${prose(experiment.text)}
      ${this.form()}
      ${statusView(state, shown)}
      ${state.type === "failed" ? errorNotice(state.error) : nothing}
      ${state.type === "done" && shown ? verdictView(state.report, shown.description) : nothing}
      ${shown ? deviceTable(shown, state) : nothing}
      ${this.pictures ? picturesView(this.pictures, experiment.kind === "pipeline_run") : nothing}
      ${codeView(shown?.description ?? this.planned(), this.source, this.onCode)}
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
    return html`
      <form @submit=${this.onSubmit}>
        ${setupControls(this.experiment, this.setup, (change) => {
          this.setup = { ...this.setup, ...change };
        })}
        <div class="actions">
          <button class="primary" aria-disabled=${isRunning}>Run</button>
          <button type="button" aria-disabled=${!isRunning} @click=${this.onCancel}>Cancel</button>
        </div>
      </form>
    `;
  }

  /** The program of the run that would be started now, where it is possible. */
  private planned() {
    const described = this.running.engine.describeRun(configOf(this.experiment, this.setup));
    return described.type === "value" ? described.value : undefined;
  }

  private readonly onSubmit = (event: Event): void => {
    event.preventDefault();
    if (this.state.type !== "running") void this.run();
  };

  private readonly onCancel = (): void => {
    this.canceller.abort();
  };

  private readonly onCode = (): void => {
    void loadSource(this.experiment.kind).then((files) => {
      this.source = files;
    });
  };

  private async run(): Promise<void> {
    this.canceller = new AbortController();
    this.state = { type: "running" };
    this.shown = undefined;
    this.pictures = undefined;
    const config = configOf(this.experiment, this.setup);
    const { engine } = this.running;
    const outcome = await runExperiment({
      ...this.running,
      config,
      signal: this.canceller.signal,
      onPlanned: (description) => {
        this.shown = { description, progress: [] };
        inNextTask(() => {
          this.pictures = { simulated: engine.drawRun(config) };
        });
      },
      onProgress: (progress) => {
        if (!this.shown) return;
        const known = [...this.shown.progress];
        known[progress.rank] = progress;
        this.shown = { ...this.shown, progress: known };
      },
    });
    this.state = outcome;
    if (outcome.type !== "done") return;
    const spans = outcome.devices.map((device) => device.spans);
    inNextTask(() => {
      if (this.state !== outcome || !this.pictures) return;
      this.pictures = { ...this.pictures, measured: engine.drawMeasured(config, spans) };
    });
  }
}

/** Drawing is work of its own: the page shows what it has before it draws. */
function inNextTask(draw: () => void): void {
  setTimeout(draw);
}
