// <lockstep-experiment-code>: the code of a run, as it ran: what each device was told to do, and
// the engine's source of it, which is loaded when somebody opens it.
//
// Property `description`: the run.

import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { RunDescription } from "../engine/run";
import { controlStyle } from "../view/controls";
import { codeStyle } from "./code-style";
import { loadSource, type SourceFile } from "./source";

type Source =
  | { readonly type: "closed" | "loading" | "failed" }
  | { readonly type: "loaded"; readonly files: readonly SourceFile[] };

export class ExperimentCode extends LitElement {
  static override styles = [controlStyle, codeStyle];
  static override properties = {
    description: { attribute: false },
    source: { state: true },
  };

  declare description: RunDescription;
  declare private source: Source;

  constructor() {
    super();
    this.source = { type: "closed" };
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("description") && this.source.type !== "closed") void this.load();
  }

  override render(): TemplateResult {
    return html`
      <details @toggle=${this.onToggle}>
        <summary>The code of this experiment</summary>
        ${this.source.type === "closed" ? nothing : this.opened()}
      </details>
    `;
  }

  private opened(): TemplateResult {
    return html`
      <p>The program of the devices, instruction by instruction:</p>
      ${codeBlock("program", this.description.program)}
      ${this.sourceView()}
    `;
  }

  private sourceView(): TemplateResult | readonly TemplateResult[] {
    switch (this.source.type) {
      case "failed":
        return html`
          <p role="alert">
            The engine's source could not be loaded; the rest of the page is as it was. Open this
            part again, or reload the page, to try once more.
          </p>
        `;
      case "loaded":
        return [
          html`<p>The functions that made it, in C++, as they run in this page:</p>`,
          ...this.source.files.map(({ name, text }) => codeBlock(name, text)),
        ];
      default:
        return html`<p class="quiet" role="status">Loading the engine's source.</p>`;
    }
  }

  private readonly onToggle = (event: Event): void => {
    const isOpen = (event.target as HTMLDetailsElement).open;
    if (isOpen && this.source.type !== "loaded") void this.load();
  };

  private async load(): Promise<void> {
    const { description } = this;
    if (this.source.type !== "loaded") this.source = { type: "loading" };
    const loaded: Source = await loadSource(description.config).then(
      (files) => ({ type: "loaded", files }),
      () => ({ type: "failed" }),
    );
    if (this.description === description) this.source = loaded;
  }
}

function codeBlock(name: string, text: string): TemplateResult {
  return html`
    <p class="file" aria-hidden="true">${name}</p>
    <pre tabindex="0" role="group" aria-label=${name}><code>${text}</code></pre>
  `;
}
