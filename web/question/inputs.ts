// How each type of question is answered. A new type is one row of `inputs`.

import { html, type TemplateResult } from "lit";
import type { QuestionView } from "../engine/lesson";
import { inlineProse } from "../view/prose";

export interface AnswerInput {
  readonly view: QuestionView;
  /** As typed; of a choice the option's id. */
  readonly text: string;
  readonly onText: (text: string) => void;
}

type InputView = (input: AnswerInput) => TemplateResult;

const inputs: Readonly<Record<string, InputView>> = {
  number: numberInput,
  choice: choiceInput,
};

/** The prompt with what one answers it in. */
export function answerInput(input: AnswerInput): TemplateResult {
  return (inputs[input.view.type] ?? numberInput)(input);
}

/** A line to type on, which also takes fractions, powers of ten and units. */
function numberInput({ view, text, onText }: AnswerInput): TemplateResult {
  return html`
    <label class="prompt" for="answer">${inlineProse(view.prompt)}</label>
    <div class="line">
      <input id="answer" type="text" autocomplete="off" autocapitalize="off" spellcheck="false"
        aria-describedby="suffix typing" .value=${text}
        @input=${(event: Event) => onText((event.target as HTMLInputElement).value)}>
      <span id="suffix">${view.suffix}</span>
    </div>
    <p id="typing" class="quiet">${view.typing}</p>
  `;
}

function choiceInput({ view, text, onText }: AnswerInput): TemplateResult {
  return html`
    <fieldset class="options">
      <legend class="prompt">${inlineProse(view.prompt)}</legend>
      ${view.options.map(
        (option) => html`
          <label class="option">
            <input type="radio" name="answer" value=${option.id} .checked=${option.id === text}
              @change=${() => onText(option.id)}>
            <span class="letter">${option.label}</span>
            <span>${inlineProse(option.text)}</span>
          </label>
        `,
      )}
    </fieldset>
  `;
}
