// A run as two pictures, one in simulated and one in measured time. They share no scale: simulated
// time says what the program allows, measured time what this machine made of it.

import { html, nothing, type TemplateResult } from "lit";
import type { Result } from "../engine/result";
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
    ${measured ? measuredView(measured) : nothing}
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

function measuredView(drawn: Result<Picture>): TemplateResult {
  return html`
    <h4>Who worked when: measured</h4>
    <p class="quiet">
      What the devices' clocks told, in milliseconds. A browser's clock goes by steps of a tenth of
      a millisecond or of a whole one, so a length may be wrong by a step.
    </p>
    ${pictureView(drawn)}
  `;
}

function pictureView(drawn: Result<Picture>): TemplateResult {
  return drawn.type === "error"
    ? html`<p class="quiet">There is no picture: ${drawn.error.message}</p>`
    : html`<lockstep-timeline .picture=${drawn.value}></lockstep-timeline>`;
}
