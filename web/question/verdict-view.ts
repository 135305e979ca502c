// What a learner is told of an answer: what was understood, whether it is right, why, what next.

import { html, nothing, type TemplateResult } from "lit";
import type { Verdict, VerdictKind } from "../engine/lesson";

interface KindRow {
  readonly icon: string;
  readonly title: string;
  /** What to do now. */
  readonly next: string;
}

const kinds: Readonly<Record<VerdictKind, KindRow>> = {
  correct: { icon: "✓", title: "Right", next: "" },
  partial: { icon: "◐", title: "Partly right", next: "Change what is missing and check again." },
  incorrect: { icon: "✗", title: "Not yet", next: "Try again." },
  needs_precision: { icon: "≈", title: "Nearly", next: "" },
  invalid: { icon: "?", title: "Not read", next: "This does not count as an answer." },
};

/** As a sentence, of which an option has its own full stop. */
function understoodView(text: string): TemplateResult {
  const end = /[.?]$/.test(text) ? "" : ".";
  return html`Understood as <span class="value">${text}</span>${end}`;
}

export function verdictView({ kind, understood, message }: Verdict): TemplateResult {
  const { icon, title, next } = kinds[kind];
  return html`
    <div class="verdict ${kind}">
      <p>
        <strong><span aria-hidden="true">${icon} </span>${title}.</strong>
        ${understood ? understoodView(understood) : nothing}
      </p>
      ${message || next ? html`<p>${message} ${next}</p>` : nothing}
    </div>
  `;
}
