// <lockstep-worksheet>: which numbers on which paper, and a button that prints the sheet.
//
// Properties: `lesson`, and `lessonId` for the command that makes the same sheet.

import { css, html, LitElement, type TemplateResult } from "lit";
import type { Lesson, WorksheetOptions } from "../engine/lesson";
import { controlStyle } from "../view/controls";

const seedMost = 4_294_967_295;

export class WorksheetForm extends LitElement {
  static override styles = [
    controlStyle,
    css`
      .fields {
        display: flex;
        flex-wrap: wrap;
        align-items: end;
        gap: calc(2 * var(--space));
        margin-bottom: calc(2 * var(--space));
      }

      label {
        display: block;
        font-weight: 600;
      }

      input,
      select {
        width: 11rem;
      }

      .note {
        margin: 0 0 calc(2 * var(--space));
        color: var(--ink-quiet);
      }

      .command {
        display: block;
        overflow-x: auto;
        white-space: nowrap;
      }
    `,
  ];
  static override properties = {
    lesson: { attribute: false },
    lessonId: { attribute: false },
    seed: { state: true },
    paper: { state: true },
  };

  declare lesson: Lesson;
  declare lessonId: string;
  declare private seed: number;
  declare private paper: WorksheetOptions["paper"];

  constructor() {
    super();
    this.seed = 0;
    this.paper = "a4";
  }

  override render(): TemplateResult {
    const { seed, paper } = this;
    const lesson = `exercises/${this.lessonId}`;
    const command = `lockstep worksheet ${lesson} --seed ${seed} --paper ${paper} -o sheet.html`;
    return html`
      <div class="fields">
        <div>
          <label for="seed">Sheet number</label>
          <input id="seed" type="number" min="0" max=${seedMost} step="1" .value=${`${seed}`}
            aria-describedby="seed-note" @change=${this.onSeed}>
        </div>
        <div>
          <label for="paper">Paper</label>
          <select id="paper" @change=${this.onPaper}>
            <option value="a4" ?selected=${paper === "a4"}>A4</option>
            <option value="letter" ?selected=${paper === "letter"}>Letter</option>
          </select>
        </div>
      </div>
      <p class="note" id="seed-note">
        Sheet 0 has the numbers of this lesson. Every other number gives another sheet, always the
        same one for the same number.
      </p>
      <lockstep-print-button .worksheet=${() => this.lesson.worksheet({ seed, paper })}>
        Print a worksheet
      </lockstep-print-button>
      <p class="note">
        The command makes the same file:
        <code class="command" tabindex="0">
          ${command}
        </code>
      </p>
    `;
  }

  private readonly onSeed = (event: Event): void => {
    const input = event.target as HTMLInputElement;
    const seed = input.valueAsNumber;
    if (Number.isInteger(seed) && seed >= 0 && seed <= seedMost) this.seed = seed;
    input.value = `${this.seed}`;
  };

  private readonly onPaper = (event: Event): void => {
    this.paper = (event.target as HTMLSelectElement).value === "letter" ? "letter" : "a4";
  };
}
