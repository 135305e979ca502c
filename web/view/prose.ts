// The engine's text trees as nodes. Text becomes text: nothing in it can be markup.

import { html, type TemplateResult } from "lit";
import type { Block, Prose, Span } from "../engine/prose";

/** Paragraphs and lists. */
export function prose(blocks: Prose): TemplateResult {
  return html`${blocks.map(block)}`;
}

/** The same words in one line, for labels and headings. */
export function inlineProse(blocks: Prose): TemplateResult {
  return html`${blocks.map((each, index) => {
    const words = each.type === "list" ? each.items.map(spans) : spans(each.spans);
    return index === 0 ? words : html` ${words}`;
  })}`;
}

/** Words in a line. */
export function spans(words: readonly Span[]): TemplateResult {
  return html`${words.map(span)}`;
}

function block(each: Block): TemplateResult {
  if (each.type === "paragraph") return html`<p>${spans(each.spans)}</p>`;
  return html`<ul>${each.items.map((item) => html`<li>${spans(item)}</li>`)}</ul>`;
}

function span(each: Span): TemplateResult | string {
  switch (each.type) {
    case "emphasis":
      return html`<em>${spans(each.spans)}</em>`;
    case "code":
      return html`<code>${each.text}</code>`;
    case "value":
      return html`<span class="value">${each.text}</span>`;
    case "text":
      return each.text;
  }
}
