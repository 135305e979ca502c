// What a lesson shows of the learner's progress: the stars of its skills, and where it is kept.

import { html, svg, type TemplateResult } from "lit";
import type { Star } from "../engine/progress";
import type { Notebook, SkillStar } from "../learner/notebook";
import type { Mode } from "../progress/log";
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

/** Where answers are kept, in one line. */
export function progressView({ mode }: Notebook): TemplateResult {
  return html`<p class="quiet" role="status" data-mode=${mode.type}>${modeText(mode)}</p>`;
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
