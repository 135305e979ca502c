// A lesson from top to bottom. A new part of a lesson is one row of `sections`.

import { html, nothing, type TemplateResult } from "lit";
import type {
  Demonstration,
  Experiment,
  FunctionNote,
  LessonPage,
  Part,
  Section as ReadSection,
} from "../engine/lesson-page";
import { inlineProse, prose } from "../view/prose";
import { chapterView } from "./chapter-view";
import { faultNotice } from "./fault-view";
import type { OpenLesson } from "./lesson";
import { progressView, starsView } from "./progress-view";

/** A part of the page: `id` is its anchor. */
interface PageSection {
  readonly id: string;
  readonly title: string;
  readonly body: TemplateResult;
}

export function lessonView(open: OpenLesson): TemplateResult {
  const { page, notebook } = open;
  const shown = sections(open);
  return html`
    <h1>${page.title}</h1>
    <p class="quiet">For ${lowerFirst(page.audience)}.</p>
    <nav aria-label="Parts of this lesson">
      <ol>
        ${shown.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}
      </ol>
    </nav>
    ${shown.map(
      ({ id, title, body }) => html`
        <section id=${id} aria-labelledby="${id}-title" tabindex="-1">
          <h2 id="${id}-title">${title}</h2>
          ${body}
        </section>
      `,
    )}
    <footer>${progressView(notebook)} ${attributionView(page)}</footer>
  `;
}

function sections(open: OpenLesson): readonly PageSection[] {
  const { page, chapter, lesson, notebook } = open;
  return [
    {
      id: "outcomes",
      title: "What you will be able to do",
      body: html`<ul>${page.outcomes.map((outcome) => html`<li>${prose(outcome)}</li>`)}</ul>`,
    },
    {
      id: "predict",
      title: "Predict first",
      body: html`
        ${prose(page.predict.text)}
        <lockstep-question .notebook=${notebook} .question=${page.predict.question}
          .mode=${"predict"}></lockstep-question>
      `,
    },
    {
      id: "read",
      title: "Read",
      body: html`${page.idea.map((section) => readSection(section, open))}`,
    },
    ...page.parts.map((part, index) => ({
      id: `part-${index + 1}`,
      title: `Part ${index + 1}. ${part.title}`,
      body: partView(part, open),
    })),
    {
      id: "check",
      title: "Check your understanding",
      body: html`
        ${prose(page.check.text)}
        <lockstep-question .notebook=${notebook} .question=${page.check.question}
          .mode=${"check"}></lockstep-question>
      `,
    },
    {
      id: "stars",
      title: "The stars of this lesson",
      body: starsView(notebook),
    },
    {
      id: "reference",
      title: "Chapter reference",
      body: chapter.type === "value" ? chapterView(chapter.value) : faultNotice(chapter),
    },
    {
      id: "paper",
      title: "On paper",
      body: html`
        <p>
          The questions of this lesson as a worksheet, with space to write. The answer key has pages
          of its own at the end.
        </p>
        <lockstep-worksheet .lesson=${lesson} .lessonId=${page.id}></lockstep-worksheet>
      `,
    },
  ];
}

function readSection(section: ReadSection, open: OpenLesson): TemplateResult {
  const shown = open.page.demonstrations.find(({ id }) => id === section.demonstration);
  return html`
    <h3>${section.title}</h3>
    ${prose(section.text)}
    ${shown ? demonstrationView(shown, open) : nothing}
  `;
}

function demonstrationView(shown: Demonstration, { running }: OpenLesson): TemplateResult {
  switch (shown.kind) {
    case "speedup_slider":
      return html`<lockstep-speedup-slider .engine=${running.engine} .demonstration=${shown}>
      </lockstep-speedup-slider>`;
    case "pipeline_grid":
      return html`<lockstep-pipeline-grid .engine=${running.engine} .demonstration=${shown}>
      </lockstep-pipeline-grid>`;
  }
}

function partView(part: Part, open: OpenLesson): TemplateResult {
  const { page, notebook, running } = open;
  const experiments = pick<Experiment, "id">(page.experiments, "id", part.experiments);
  const functions = pick<FunctionNote, "name">(page.functions, "name", part.functions);
  return html`
    ${prose(part.text)}
    ${part.questions.map(
      (question) => html`
        <lockstep-question .notebook=${notebook} .question=${question} .mode=${"practice"}>
        </lockstep-question>
      `,
    )}
    ${experiments.map(
      (experiment) => html`
        <lockstep-experiment .running=${running} .experiment=${experiment}></lockstep-experiment>
      `,
    )}
    ${
      functions.length > 0
        ? html`<dl class="functions">${functions.map(functionView)}</dl>`
        : nothing
    }
  `;
}

/** Those of `items` whose `key` is in `wanted`, in that order. */
function pick<Item extends Readonly<Record<Key, string>>, Key extends string>(
  items: readonly Item[],
  key: Key,
  wanted: readonly string[],
): readonly Item[] {
  return wanted.flatMap((name) => items.filter((item) => item[key] === name));
}

function functionView({ name, parameters, text, formula, raises }: FunctionNote): TemplateResult {
  return html`
    <dt><code>${name}(${parameters.join(", ")})</code></dt>
    <dd>
      ${prose(text)}
      ${formula ? html`<p><code>${formula}</code></p>` : nothing}
      ${raises ? html`<p>Raises ${inlineProse(raises)}</p>` : nothing}
    </dd>
  `;
}

function attributionView({ attribution }: LessonPage): TemplateResult {
  const { author, licence, based_on: source } = attribution;
  return html`<p class="quiet">
    ${author}. Licence: ${licence}. ${source ? html`After: ${source}.` : nothing}
  </p>`;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1).replace(/\.$/, "");
}
