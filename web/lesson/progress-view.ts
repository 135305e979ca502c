// What a lesson shows of the learner's progress: the stars of its skills, and where it is kept.

import { html, nothing, svg, type TemplateResult } from "lit";
import type { Star } from "../engine/progress";
import type { Notebook, SkillStar } from "../learner/notebook";
import type { Mode } from "../progress/log";
import { downloadText } from "../view/download";
import { faultNotice } from "./fault-view";

/** The skills of the lesson, each with its star and what the star means. */
export function starsView(notebook: Notebook): TemplateResult {
  const stars = notebook.stars();
  if (stars.type === "error") return faultNotice(stars);
  return html`
    <p>
      A star lights when you answer a question of its skill. Later it dims: then the skill is due
      again.
    </p>
    <ul class="stars">${stars.value.map(starItem)}</ul>
  `;
}

function starItem({ title, star }: SkillStar): TemplateResult {
  const band = star?.band ?? "unlit";
  return html`
    <li data-band=${band}>
      <svg viewBox="-16 -16 32 32" class="star ${band}" aria-hidden="true">
        ${starShape(star)}
      </svg>
      <span>${title}</span>
      <span class="quiet">${starText(star)}</span>
    </li>
  `;
}

/** Four points, larger the longer the skill is held; an unlit one is an outline. */
function starShape(star: Star | undefined): TemplateResult {
  const reach = 7 + 2 * (star?.size ?? 1);
  const outline = `M0,${-reach} Q0,0 ${reach},0 Q0,0 0,${reach} Q0,0 ${-reach},0 Q0,0 0,${-reach}Z`;
  return svg`<path d=${outline} opacity=${star && star.brightness > 0 ? star.brightness : 1} />`;
}

function starText(star: Star | undefined): string {
  if (!star) return "not lit yet";
  if (star.band === "unlit") return "not lit yet, come back tomorrow";
  if (star.band === "relearn") return "come back tomorrow";
  if (star.band !== "bright") return "come back";
  return star.due_in_days === 1 ? "holds 1 more day" : `holds ${star.due_in_days} more days`;
}

/** Where answers are kept, in one line; and a way to keep them where this browser does not. */
export function progressView(notebook: Notebook): TemplateResult {
  const { mode, damages } = notebook;
  const isKept = mode.type === "saved" || mode.type === "partitioned";
  const onExport = () => downloadText("lockstep-progress.json", notebook.exportText());
  return html`
    <p class="quiet" role="status" data-mode=${mode.type}>${modeText(mode)}</p>
    ${isKept ? nothing : html`<p>${fileButton("Save my answers as a file", onExport)}</p>`}
    ${damages.map(
      ({ text }, index) => html`
        <div class="notice" role="alert">
          <p>
            A copy of your progress in this browser cannot be read any more. What can be read is in
            use, and the text itself is kept.
          </p>
          <p>
            ${fileButton("Save it as a file", () =>
              downloadText(`lockstep-damaged-${index + 1}.txt`, text),
            )}
          </p>
        </div>
      `,
    )}
  `;
}

function fileButton(words: string, onClick: () => void): TemplateResult {
  return html`<button type="button" class="link" @click=${onClick}>${words}</button>`;
}

function modeText(mode: Mode): string {
  switch (mode.type) {
    case "saved":
      return "Your progress is saved in this browser.";
    case "partitioned":
      return "Your progress is kept in this browser, for this site only.";
    case "memory":
      return (
        "Your progress is kept until this page closes: this browser does not let the page save " +
        "anything."
      );
    case "full":
      return (
        `Not saved, the browser's storage is full: ${mode.unsaved} answers are kept until this ` +
        "page closes."
      );
    case "newer":
      return (
        "A newer version of this site has saved your progress here, so this page only reads it. " +
        "Reload the page."
      );
  }
}
