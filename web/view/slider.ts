// A slider over a list of values: one stop a value, whatever the distances between them.

import { html, type TemplateResult } from "lit";
import type { Slider } from "../engine/lesson-page";

export interface ShownSlider {
  /** Unique in its element. */
  readonly id: string;
  readonly label: string;
  readonly values: readonly number[];
  /** The chosen one of `values`. */
  readonly value: number;
  /** The value with its unit, as it is read and heard: "8 devices". */
  readonly text: string;
  readonly onChange: (value: number) => void;
}

/** Where a slider of a lesson begins. */
export function startOf({ values, start }: Slider): number {
  return values.includes(start) ? start : (values[0] ?? 0);
}

export function slider(shown: ShownSlider): TemplateResult {
  const { id, label, values, value, text } = shown;
  const onInput = (event: Event) => {
    const chosen = values[(event.target as HTMLInputElement).valueAsNumber];
    if (chosen !== undefined) shown.onChange(chosen);
  };
  return html`
    <div class="field">
      <label for=${id}>${label} <output for=${id}>${text}</output></label>
      <input id=${id} type="range" min="0" max=${values.length - 1} step="1"
        .value=${`${values.indexOf(value)}`} aria-valuetext=${text} @input=${onInput}>
    </div>
  `;
}
