// What went wrong with a file or a call, for a person.

import { html, type TemplateResult } from "lit";
import type { EngineError, FileFault } from "../engine/result";

export type Failed =
  | { readonly type: "error"; readonly error: EngineError }
  | { readonly type: "faults"; readonly faults: readonly FileFault[] };

/** The reason, or every fault of a file with its place. Nothing of the learner's is touched. */
export function faultNotice(failed: Failed): TemplateResult {
  if (failed.type === "error") {
    return html`
      <div class="notice" role="alert">
        <p>${failed.error.message}</p>
        <p class="quiet">
          Your progress is untouched. Reload the page to try again, or go back to
          <a href="./">all lessons</a>.
        </p>
      </div>
    `;
  }
  const count = failed.faults.length;
  return html`
    <div class="notice" role="alert">
      <p>The file has ${count} ${count === 1 ? "fault" : "faults"}:</p>
      <ul>
        ${failed.faults.map(
          ({ path, line, column, pointer, message, suggestion }) => html`
            <li>
              <code>${path}:${line}:${column}</code> ${message}
              ${pointer ? html`(at <code>${pointer}</code>)` : ""}
              ${suggestion ? html`Did you mean “${suggestion}”?` : ""}
            </li>
          `,
        )}
      </ul>
    </div>
  `;
}
