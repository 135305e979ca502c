// What a learner can change of an experiment before it runs.

import { html, type TemplateResult } from "lit";
import type { Experiment } from "../engine/lesson-page";
import { slider } from "../view/slider";
import { devicesMost, microbatchCounts, type Setup, schedules, stagesMost } from "./setup";

export type ChangeSetup = (change: Partial<Setup>) => void;

export function setupControls(
  { kind }: Experiment,
  setup: Setup,
  change: ChangeSetup,
): TemplateResult {
  if (kind === "product_run") return product(setup, change);
  return html`
    ${kind === "data_parallel_run" ? dataParallel(setup, change) : pipeline(setup, change)}
    ${checkbox({
      id: "large",
      label: "A larger model",
      why:
        "Most of its forwards and backwards last long enough for a browser's clock. To compare " +
        "the gradients takes some seconds.",
      checked: setup.large,
      onChange: (large) => change({ large }),
    })}
  `;
}

function dataParallel({ devices, weighted }: Setup, change: ChangeSetup): TemplateResult {
  return html`
    ${slider({
      id: "devices",
      label: "Devices",
      values: upTo(devicesMost),
      value: devices,
      text: `${devices}`,
      onChange: (value) => change({ devices: value }),
    })}
    ${checkbox({
      id: "weighted",
      label: "Weigh each device by its rows",
      why: "Needed when the devices cannot have equal shares of the batch.",
      checked: weighted,
      onChange: (value) => change({ weighted: value }),
    })}
  `;
}

function pipeline({ schedule, stages, microbatches }: Setup, change: ChangeSetup): TemplateResult {
  const known = schedules.some(({ name }) => name === schedule);
  const choices = known ? schedules : [...schedules, { name: schedule, label: schedule }];
  return html`
    <div class="field">
      <label for="schedule">Schedule</label>
      <select id="schedule"
        @change=${(event: Event) =>
          change({ schedule: (event.target as HTMLSelectElement).value })}>
        ${choices.map(
          ({ name, label }) =>
            html`<option value=${name} ?selected=${name === schedule}>${label}</option>`,
        )}
      </select>
    </div>
    ${slider({
      id: "stages",
      label: "Stages, one a device",
      values: upTo(stagesMost),
      value: stages,
      text: `${stages}`,
      onChange: (value) => change({ stages: value }),
    })}
    ${slider({
      id: "microbatches",
      label: "Microbatches",
      values: withChosen(microbatchCounts, microbatches),
      value: microbatches,
      text: `${microbatches}`,
      onChange: (value) => change({ microbatches: value }),
    })}
  `;
}

/** Each factor as a slider; the engine says where their product is too large. */
function product(setup: Setup, change: ChangeSetup): TemplateResult {
  const factor = (
    id: "data" | "tensor" | "stages" | "microbatches" | "steps",
    label: string,
    values: readonly number[],
  ) =>
    slider({
      id,
      label,
      values: withChosen(values, setup[id]),
      value: setup[id],
      text: `${setup[id]}`,
      onChange: (value) => change({ [id]: value }),
    });
  return html`
    ${factor("data", "Copies of the pipeline (data parallel)", [1, 2, 4])}
    ${factor("tensor", "Devices that share a block (tensor parallel)", [1, 2, 4])}
    ${factor("stages", "Stages (pipeline parallel)", [1, 2, 3])}
    ${factor("microbatches", "Microbatches a copy", [1, 2, 4])}
    ${factor("steps", "Steps of training", [1, 5, 10, 20])}
  `;
}

interface Checkbox {
  readonly id: string;
  readonly label: string;
  readonly why: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

function checkbox({ id, label, why, checked, onChange }: Checkbox): TemplateResult {
  return html`
    <div class="choice">
      <input id=${id} type="checkbox" .checked=${checked} aria-describedby="${id}-why"
        @change=${(event: Event) => onChange((event.target as HTMLInputElement).checked)}>
      <label for=${id}>${label}</label>
      <small id="${id}-why">${why}</small>
    </div>
  `;
}

/** The values in order, with the lesson's own where it is another one. */
function withChosen(values: readonly number[], chosen: number): readonly number[] {
  return [...new Set([...values, chosen])].sort((one, other) => one - other);
}

function upTo(most: number): readonly number[] {
  return Array.from({ length: most }, (_, index) => index + 1);
}
