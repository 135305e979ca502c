// <lockstep-question>: asks a question of a lesson, grades the answer and says why.
//
// Properties: `notebook`; `question`, its id; `mode`:
//   "practice" grades, with hints, the solution and other numbers;
//   "predict" keeps the answer without grading it;
//   "check" grades, and puts the prediction beside the verdict.
// Event `lockstep-answered` (bubbles, composed; detail `{question, verdict}`) after each check.

import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { QuestionView, Reveal, Verdict } from "../engine/lesson";
import type { Prose } from "../engine/prose";
import type { EngineError } from "../engine/result";
import type { Notebook, PastAnswer } from "../learner/notebook";
import { cardStyle, controlStyle } from "../view/controls";
import { formatDay } from "../view/format";
import { inlineProse, prose } from "../view/prose";
import { answerInput } from "./inputs";
import { questionStyle } from "./question-style";
import { verdictView } from "./verdict-view";

export type QuestionMode = "practice" | "predict" | "check";

/** What the element shows of an answer; `past` if it was given on an earlier visit. */
interface Shown {
  readonly verdict: Verdict;
  readonly past?: PastAnswer;
}

const confidences = ["a guess", "I think so", "I am sure"] as const;

export class QuestionElement extends LitElement {
  static override styles = [controlStyle, cardStyle, questionStyle];
  static override properties = {
    notebook: { attribute: false },
    question: { attribute: false },
    mode: { attribute: false },
    seed: { state: true },
    text: { state: true },
    confidence: { state: true },
    shown: { state: true },
    hints: { state: true },
    solution: { state: true },
    prediction: { state: true },
    error: { state: true },
  };

  declare notebook: Notebook;
  declare question: string;
  declare mode: QuestionMode;
  declare private seed: number;
  declare private text: string;
  declare private confidence: number;
  declare private shown: Shown | undefined;
  /** Those that are open. */
  declare private hints: readonly Prose[];
  declare private solution: Reveal | undefined;
  declare private prediction: PastAnswer | undefined;
  declare private error: EngineError | undefined;

  constructor() {
    super();
    this.mode = "practice";
    this.reset(0);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.notebook?.changes.addEventListener("change", this.onChange);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.notebook?.changes.removeEventListener("change", this.onChange);
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has("notebook") && !changed.has("question")) return;
    (changed.get("notebook") as Notebook | undefined)?.changes.removeEventListener(
      "change",
      this.onChange,
    );
    this.notebook.changes.addEventListener("change", this.onChange);
    this.resume();
  }

  override render(): TemplateResult {
    const view = this.notebook.view(this.question, this.seed);
    if (view.type === "error") return errorView(view.error);
    return html`
      <form @submit=${this.onSubmit}>
        ${answerInput({ view: view.value, text: this.text, onText: this.onText })}
        ${this.mode === "predict" ? nothing : this.confidenceView()}
        <div class="actions">
          <button class="primary">${this.submitLabel()}</button>
          ${this.mode === "practice" ? this.helpButtons(view.value) : nothing}
        </div>
      </form>
      <div role="status">
        ${this.error ? errorView(this.error) : nothing}
        ${this.shown ? this.verdict(this.shown) : nothing}
        ${this.mode === "predict" ? this.keptView() : nothing}
      </div>
      <div aria-live="polite">
        ${
          this.hints.length > 0
            ? html`<ol class="help">${this.hints.map((hint) => html`<li>${prose(hint)}</li>`)}</ol>`
            : nothing
        }
        ${this.solution ? solutionView(this.solution) : nothing}
      </div>
    `;
  }

  private submitLabel(): string {
    if (this.mode !== "predict") return "Check";
    return this.prediction ? "Change my prediction" : "Keep my prediction";
  }

  private confidenceView(): TemplateResult {
    return html`
      <fieldset class="confidence">
        <legend>How sure are you?</legend>
        ${confidences.map(
          (words, index) => html`
            <label>
              <input type="radio" name="confidence" value=${index + 1}
                .checked=${this.confidence === index + 1}
                @change=${() => {
                  this.confidence = index + 1;
                }}>${words}
            </label>
          `,
        )}
      </fieldset>
    `;
  }

  private helpButtons(view: QuestionView): TemplateResult {
    const open = this.hints.length;
    return html`
      ${
        open < view.hints
          ? html`<button type="button" @click=${this.onHint}>
              Show a hint (${open + 1} of ${view.hints})
            </button>`
          : nothing
      }
      ${
        this.solution
          ? nothing
          : html`<button type="button" @click=${this.onSolution}>Show the solution</button>`
      }
      ${
        view.numbers.length > 0
          ? html`<button type="button" @click=${() => this.draw(this.seed + 1)}>
              Other numbers
            </button>`
          : nothing
      }
      ${
        this.seed > 0
          ? html`<button type="button" @click=${() => this.draw(0)}>The lesson's numbers</button>`
          : nothing
      }
    `;
  }

  private keptView(): TemplateResult | typeof nothing {
    if (!this.prediction) return nothing;
    return html`<p class="note">
      Kept: ${this.choiceText(this.prediction)} You meet it again at the end of the lesson.
    </p>`;
  }

  private verdict({ verdict, past }: Shown): TemplateResult {
    const isCheck = this.mode === "check";
    return html`
      ${verdictView(verdict)}
      ${
        isCheck && this.prediction
          ? html`<p class="note">You predicted: ${this.choiceText(this.prediction)}</p>`
          : nothing
      }
      ${
        past
          ? html`<p class="note quiet">
              Answered on ${formatDay(past.ms)}: ${this.choiceText(past)}
            </p>`
          : nothing
      }
      ${
        isCheck && verdict.kind === "correct" && !this.solution
          ? html`<button type="button" class="note" @click=${this.onSolution}>Show why</button>`
          : nothing
      }
    `;
  }

  /** The option that was chosen, or what was typed, as a sentence. */
  private choiceText({ seed, text }: PastAnswer): TemplateResult {
    const view = this.notebook.view(this.question, seed);
    const options = view.type === "value" ? view.value.options : [];
    const option = options.find(({ id }) => id === text);
    return option ? html`${option.label}. ${inlineProse(option.text)}` : html`${text}`;
  }

  private readonly onText = (text: string): void => {
    this.text = text;
    if (this.mode !== "predict") this.notebook.keepDraft(this.question, { seed: this.seed, text });
  };

  private readonly onSubmit = (event: Event): void => {
    event.preventDefault();
    const { question, seed, text } = this;
    const answered =
      this.mode === "predict"
        ? this.notebook.predict(question, seed, text)
        : this.notebook.answer(this.answering());
    this.error = answered.type === "error" ? answered.error : undefined;
    if (answered.type === "error") return;
    const { verdict } = answered.value;
    if (this.mode !== "predict" || verdict.kind === "invalid") this.shown = { verdict };
    if (this.mode === "predict") return;
    const detail = { question, verdict };
    const options = { bubbles: true, composed: true, detail };
    this.dispatchEvent(new CustomEvent("lockstep-answered", options));
  };

  private readonly onHint = (): void => {
    const hints = this.notebook.hints(this.question, this.seed);
    if (hints.type === "error") this.error = hints.error;
    else this.hints = hints.value.hints.slice(0, this.hints.length + 1);
  };

  private readonly onSolution = (): void => {
    const isRight = this.shown?.verdict.kind === "correct";
    const revealed = isRight
      ? this.notebook.reveal(this.question, this.seed)
      : this.notebook.giveUp(this.answering());
    if (revealed.type === "error") this.error = revealed.error;
    else this.solution = revealed.value;
  };

  private readonly onChange = (): void => {
    this.prediction = this.notebook.past(this.question, "prediction");
  };

  private answering() {
    const { question, seed, text, confidence } = this;
    return { question, seed, text, confidence, hints: this.hints.length };
  }

  /** The question anew, with the numbers of another seed. */
  private draw(seed: number): void {
    this.reset(seed);
    this.notebook.keepDraft(this.question, { seed, text: "" });
    void this.updateComplete.then(() => this.renderRoot.querySelector("input")?.focus());
  }

  /** What the learner did on an earlier visit. */
  private resume(): void {
    this.prediction = this.notebook.past(this.question, "prediction");
    const past =
      this.mode === "predict" ? this.prediction : this.notebook.past(this.question, "answer");
    const draft = this.mode === "predict" ? undefined : this.notebook.readDraft(this.question);
    this.reset(draft?.seed ?? past?.seed ?? 0);
    if (draft) this.text = draft.text;
    else if (past?.isToday) this.text = past.text;
    if (this.mode === "predict" || !past?.verdict) return;
    if (past.seed === this.seed) this.shown = { verdict: past.verdict, past };
  }

  private reset(seed: number): void {
    this.seed = seed;
    this.text = "";
    this.confidence = 0;
    this.shown = undefined;
    this.hints = [];
    this.solution = undefined;
    this.error = undefined;
  }
}

function solutionView({ answers, solution }: Reveal): TemplateResult {
  return html`
    <div class="solution">
      <p><strong>Answer: ${answers[0]}</strong></p>
      ${prose(solution)}
    </div>
  `;
}

function errorView({ message }: EngineError): TemplateResult {
  return html`
    <div class="verdict incorrect" role="alert">
      <p><strong>This did not work.</strong> ${message}</p>
      <p>What was kept so far is safe. Reload the page and try again.</p>
    </div>
  `;
}
