// The reference that a lesson shares with the other lessons of its chapter.

import { html, type TemplateResult } from "lit";
import type { ChapterPage } from "../engine/lesson-page";
import { prose } from "../view/prose";

export function chapterView(chapter: ChapterPage): TemplateResult {
  const { text, lines } = chapter.reference_code;
  return html`
    <p>
      This part belongs to the whole chapter <strong>${chapter.title}</strong>: it is the same in
      each of its lessons and may reach past the topic of this one. The code of an experiment stands
      in the experiment itself.
    </p>
    <details>
      <summary>Notation, a worked example, code and common mistakes</summary>
      ${prose(chapter.summary)}
      <h3>Context</h3>
      ${prose(chapter.context)}
      <h3>Notation</h3>
      <dl class="notation">
        ${chapter.notation.map(
          ({ symbol, meaning }) => html`<dt>${symbol}</dt><dd>${prose(meaning)}</dd>`,
        )}
      </dl>
      <h3>Worked example</h3>
      ${prose(chapter.worked_example)}
      <h3>Reference code</h3>
      ${prose(text)}
      <pre tabindex="0" aria-label="Reference code"><code>${lines.join("\n")}</code></pre>
      <h3>Common mistakes</h3>
      <ul>${chapter.common_mistakes.map((mistake) => html`<li>${prose(mistake)}</li>`)}</ul>
      <h3>Sources</h3>
      <ul>
        ${chapter.sources.map(
          ({ title, by, url }) => html`
            <li>${url ? html`<a href=${url} rel="noreferrer">${title}</a>` : title}. ${by}</li>
          `,
        )}
      </ul>
    </details>
  `;
}
