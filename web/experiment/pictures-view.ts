// A run as two pictures, one in simulated and one in measured time. They share no scale: simulated
// time says what the program allows, measured time what this machine made of it.

import { html, nothing, type TemplateResult } from "lit";
import type { Result } from "../engine/result";
import type { Picture } from "../engine/schedule";

export interface RunPictures {
  readonly simulated: Result<Picture>;
  /** Once the run is done. */
  readonly measured?: Result<Picture>;
}

export function picturesView(
  { simulated, measured }: RunPictures,
  isPipeline: boolean,
): TemplateResult {
  return html`
    <h4>Who works when: simulated</h4>
    <p class="quiet">
      The program of this run, if every forward took 1, every backward 2, and every message
      ${isPipeline ? "no time" : "0.1"}.
    </p>
    ${pictureView(simulated)}
    ${
      measured
        ? html`
            <h4>Who worked when: measured</h4>
            <p class="quiet">
              What the devices' clocks told, in milliseconds. Browsers' clocks are coarse, to a
              tenth of a millisecond or to a whole one: what was shorter is drawn as a thin line.
            </p>
            ${pictureView(measured)}
          `
        : nothing
    }
  `;
}

function pictureView(drawn: Result<Picture>): TemplateResult {
  return drawn.type === "error"
    ? html`<p class="quiet">There is no picture: ${drawn.error.message}</p>`
    : html`<lockstep-timeline .picture=${drawn.value}></lockstep-timeline>`;
}
