// <lockstep-speedup-slider>: how long a pass takes on several devices, exchange included.
//
// Properties: `engine`, and `demonstration`, one of a lesson of the kind "speedup_slider".

import { css, html, LitElement, nothing, svg, type TemplateResult } from "lit";
import type { Engine } from "../engine/engine";
import type { Demonstration } from "../engine/lesson-page";
import { type Result, success } from "../engine/result";
import { adoptPictureStyle } from "../picture/picture-style";
import { cardStyle, controlStyle } from "../view/controls";
import { formatDecimal } from "../view/format";
import { prose } from "../view/prose";
import { slider, startOf } from "../view/slider";
import { demonstrationStyle } from "./demonstration-style";

type SpeedupSliderData = Demonstration & { readonly kind: "speedup_slider" };

/** A pass on several devices, in seconds, and how it compares with one device. */
interface Pass {
  readonly devices: number;
  readonly compute_s: number;
  readonly communication_s: number;
  readonly total_s: number;
  readonly speedup: number;
  readonly efficiency: number;
}

/** Height of a bar and distance to the next one, in CSS pixels. */
const barHeight = 28;
const barStep = 40;

export class SpeedupSlider extends LitElement {
  static override styles = [
    controlStyle,
    cardStyle,
    demonstrationStyle,
    css`
      .bars {
        display: grid;
        grid-template-columns: auto 1fr;
        align-items: center;
        gap: 0 calc(1.5 * var(--space));
        margin: calc(2 * var(--space)) 0 var(--space);
      }

      .key {
        display: flex;
        flex-wrap: wrap;
        gap: 0 calc(2 * var(--space));
        color: var(--ink-quiet);
        font-size: 0.9em;
      }

      .key svg {
        display: inline-block;
        width: 14px;
        height: 14px;
        margin-right: 6px;
        vertical-align: -2px;
      }

      dl {
        display: grid;
        grid-template-columns: auto 1fr;
        gap: 4px calc(2 * var(--space));
        margin: calc(2 * var(--space)) 0 0;
      }

      dt {
        color: var(--ink-quiet);
      }

      dd {
        margin: 0;
      }
    `,
  ];
  static override properties = {
    engine: { attribute: false },
    demonstration: { attribute: false },
    devices: { state: true },
    communication_s: { state: true },
  };

  declare engine: Engine;
  declare demonstration: SpeedupSliderData;
  declare private devices: number | undefined;
  declare private communication_s: number | undefined;

  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    const root = super.createRenderRoot() as ShadowRoot;
    adoptPictureStyle(root);
    return root;
  }

  override render(): TemplateResult {
    const { title, text, devices, communication_s } = this.demonstration;
    const chosen = this.devices ?? startOf(devices);
    const exchange_s = this.communication_s ?? startOf(communication_s);
    return html`
      <h4>${title}</h4>
      ${prose(text)}
      <div class="sliders">
        ${slider({
          id: "devices",
          label: "Devices",
          values: devices.values,
          value: chosen,
          text: `${chosen}`,
          onChange: (value) => {
            this.devices = value;
          },
        })}
        ${slider({
          id: "communication",
          label: "Communication",
          values: communication_s.values,
          value: exchange_s,
          text: seconds(exchange_s),
          onChange: (value) => {
            this.communication_s = value;
          },
        })}
      </div>
      ${this.outcome(chosen, exchange_s)}
    `;
  }

  private outcome(devices: number, exchange_s: number): TemplateResult {
    const pass = this.pass(devices, exchange_s);
    if (pass.type === "error") return html`<p class="error">${pass.error.message}</p>`;
    return html`${this.bars(pass.value)} ${facts(pass.value)}`;
  }

  /** One device has nobody to exchange with. */
  private pass(devices: number, exchange_s: number): Result<Pass> {
    const single_s = this.demonstration.single_s;
    const communication_s = devices === 1 ? 0 : exchange_s;
    const share = `${single_s}/${devices}`;
    const times = { t_single: single_s, t_compute: share, t_comm: communication_s };
    const compute = this.engine.compute("step_time", { forward: share, backward: 0, comm: 0 });
    if (compute.type === "error") return compute;
    const total = this.engine.compute("step_time", {
      forward: share,
      backward: 0,
      comm: communication_s,
    });
    if (total.type === "error") return total;
    const speedup = this.engine.compute("speedup", times);
    if (speedup.type === "error") return speedup;
    const efficiency = this.engine.compute("efficiency", { speedup: speedup.value.value, devices });
    if (efficiency.type === "error") return efficiency;
    return success({
      devices,
      compute_s: compute.value.number,
      communication_s,
      total_s: total.value.number,
      speedup: speedup.value.number,
      efficiency: efficiency.value.number,
    });
  }

  /** To one scale, which the sliders do not change. */
  private bars(pass: Pass): TemplateResult {
    const { single_s, communication_s } = this.demonstration;
    const longest_s = single_s + Math.max(...communication_s.values);
    const percent = (time_s: number) => `${(100 * time_s) / longest_s}%`;
    const y = (barStep - barHeight) / 2;
    const bar = (compute_s: number, exchange_s: number) => svg`
      <rect class="forward" x="0" y=${y} width=${percent(compute_s)} height=${barHeight} />
      ${
        exchange_s > 0
          ? svg`<rect class="communication" x=${percent(compute_s)} y=${y}
              width=${percent(exchange_s)} height=${barHeight} />`
          : nothing
      }`;
    return html`
      <div class="bars" role="img" aria-label="One device takes ${seconds(single_s)}.
        ${devicesText(pass.devices)} ${pass.devices === 1 ? "takes" : "take"}
        ${seconds(pass.total_s)}: ${seconds(pass.compute_s)} computing and
        ${seconds(pass.communication_s)} communication.">
        <div>one device</div>
        <svg class="lockstep-picture" height=${barStep}>${bar(single_s, 0)}</svg>
        <div>each of ${pass.devices}</div>
        <svg class="lockstep-picture" height=${barStep}>
          ${bar(pass.compute_s, pass.communication_s)}
        </svg>
      </div>
      <p class="key" aria-hidden="true">
        ${keyItem("forward", "computing")} ${keyItem("communication", "communication")}
      </p>
    `;
  }
}

function keyItem(name: "forward" | "communication", words: string): TemplateResult {
  const swatch = html`<svg class="lockstep-picture">
    <rect class=${name} width="14" height="14" />
  </svg>`;
  return html`<span>${swatch}${words}</span>`;
}

function facts(pass: Pass): TemplateResult {
  return html`
    <dl aria-live="polite">
      <dt>A pass takes</dt>
      <dd>
        ${seconds(pass.compute_s)} + ${seconds(pass.communication_s)} =
        ${seconds(pass.total_s)}
      </dd>
      <dt>Real speed-up</dt>
      <dd><strong>${formatDecimal(pass.speedup, 3)}</strong> (ideal: ${pass.devices})</dd>
      <dt>Efficiency</dt>
      <dd>${formatDecimal(100 * pass.efficiency, 1)} %</dd>
    </dl>
  `;
}

function seconds(time_s: number): string {
  return `${formatDecimal(time_s, 3)} s`;
}

function devicesText(devices: number): string {
  return devices === 1 ? "One device" : `${devices} devices`;
}
