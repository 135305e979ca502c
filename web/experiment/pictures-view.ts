// A run as two pictures, one in simulated and one in measured time. They share no scale: simulated
// time says what the program allows, measured time what this machine made of it.

import { html, nothing, type TemplateResult } from "lit";
import type { DeviceDone } from "../device/messages";
import type { Result } from "../engine/result";
import type { RunDescription } from "../engine/run";
import type { Picture } from "../engine/schedule";
import type { ShownRun } from "./experiment-view";

export interface RunPictures {
  /** Once the run is planned. */
  readonly simulated?: Result<Picture>;
  /** Once all devices are done. */
  readonly measured?: Result<Picture>;
}

export function picturesView({ simulated, measured }: RunPictures, run: ShownRun): TemplateResult {
  return html`
    ${simulated ? simulatedView(simulated, run) : nothing}
    ${measured ? measuredView(measured, run) : nothing}
  `;
}

function simulatedView(drawn: Result<Picture>, { description }: ShownRun): TemplateResult {
  const isPipeline = description.config.strategy === "pipeline_parallel";
  return html`
    <h4>Who works when: simulated</h4>
    <p class="quiet">
      The program of this run, if every forward took 1, every backward 2, and every message
      ${isPipeline ? "no time" : "0.1"}.
    </p>
    ${pictureView(drawn)}
  `;
}

function measuredView(drawn: Result<Picture>, { description, devices }: ShownRun): TemplateResult {
  return html`
    <h4>Who worked when: measured</h4>
    <p class="quiet">
      What the devices' clocks told, in milliseconds. ${clockText(description, devices ?? [])}
    </p>
    ${pictureView(drawn)}
  `;
}

/** What the clock could tell of the work, and what not. */
function clockText({ devices }: RunDescription, done: readonly DeviceDone[]): string {
  let pieces = 0;
  let untold = 0;
  for (const [rank, { spans }] of done.entries()) {
    for (let at = 0; at < spans.length; at += 3) {
      const operation = devices[rank]?.operations[spans[at] ?? 0] ?? "";
      if (!/^(forward|backward)/.test(operation)) continue;
      pieces += 1;
      if (spans[at + 1] === spans[at + 2]) untold += 1;
    }
  }
  const steps =
    "A browser's clock goes by steps of a tenth of a millisecond or of a whole one, so a length " +
    "may be wrong by a step.";
  if (untold === 0) return steps;
  return (
    `${steps} Of ${pieces} forwards and backwards, ${untold} ended in the step they began in: ` +
    "they are drawn as thin lines."
  );
}

function pictureView(drawn: Result<Picture>): TemplateResult {
  return drawn.type === "error"
    ? html`<p class="quiet">There is no picture: ${drawn.error.message}</p>`
    : html`<lockstep-timeline .picture=${drawn.value}></lockstep-timeline>`;
}
