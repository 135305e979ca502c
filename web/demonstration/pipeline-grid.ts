// <lockstep-pipeline-grid>: which stage works when, and how much of the time is bubble.
//
// Properties: `engine`, and `demonstration`, one of a lesson of the kind "pipeline_grid".

import { html, LitElement, type TemplateResult } from "lit";
import type { Engine } from "../engine/engine";
import type { Demonstration } from "../engine/lesson-page";
import { cardStyle, controlStyle } from "../view/controls";
import { formatDecimal } from "../view/format";
import { prose } from "../view/prose";
import { slider, startOf } from "../view/slider";
import { demonstrationStyle } from "./demonstration-style";

type PipelineGridData = Demonstration & { readonly kind: "pipeline_grid" };

export class PipelineGrid extends LitElement {
  static override styles = [controlStyle, cardStyle, demonstrationStyle];
  static override properties = {
    engine: { attribute: false },
    demonstration: { attribute: false },
    stages: { state: true },
    microbatches: { state: true },
  };

  declare engine: Engine;
  declare demonstration: PipelineGridData;
  declare private stages: number | undefined;
  declare private microbatches: number | undefined;

  override render(): TemplateResult {
    const { title, text } = this.demonstration;
    const stages = this.stages ?? startOf(this.demonstration.stages);
    const microbatches = this.microbatches ?? startOf(this.demonstration.microbatches);
    return html`
      <h4>${title}</h4>
      ${prose(text)}
      <div class="sliders">
        ${slider({
          id: "stages",
          label: "Stages",
          values: this.demonstration.stages.values,
          value: stages,
          text: `${stages}`,
          onChange: (value) => {
            this.stages = value;
          },
        })}
        ${slider({
          id: "microbatches",
          label: "Microbatches",
          values: this.demonstration.microbatches.values,
          value: microbatches,
          text: `${microbatches}`,
          onChange: (value) => {
            this.microbatches = value;
          },
        })}
      </div>
      ${this.share(stages, microbatches)} ${this.picture(stages, microbatches)}
    `;
  }

  private share(stages: number, microbatches: number): TemplateResult {
    const bubble = this.engine.compute("pipeline_bubble", { stages, microbatches });
    if (bubble.type === "error") return html`<p class="error">${bubble.error.message}</p>`;
    const { value, number } = bubble.value;
    return html`
      <p aria-live="polite">
        The bubble is (p − 1)/(m + p − 1) = (${stages} − 1)/(${microbatches} + ${stages} − 1) =
        <strong>${value}</strong>${
          value.includes("/") ? html`, or <strong>${formatDecimal(100 * number, 1)} %</strong>` : ""
        } of the time.
      </p>
    `;
  }

  private picture(stages: number, microbatches: number): TemplateResult {
    const { schedule } = this.demonstration;
    const drawn = this.engine.drawSchedule({ schedule, stages, microbatches });
    if (drawn.type === "error") return html`<p class="error">${drawn.error.message}</p>`;
    return html`<lockstep-timeline .picture=${drawn.value}></lockstep-timeline>`;
  }
}
