// The code of an experiment: what each device was told to do, and the engine's source of it.

import { html, nothing, type TemplateResult } from "lit";
import type { RunDescription } from "../engine/run";
import type { SourceFile } from "./source";

/** `onOpen` is called when somebody opens it, to load the source. */
export function codeView(
  description: RunDescription | undefined,
  source: readonly SourceFile[] | undefined,
  onOpen: () => void,
): TemplateResult {
  const onToggle = (event: Event) => {
    if ((event.target as HTMLDetailsElement).open && !source) onOpen();
  };
  return html`
    <details @toggle=${onToggle}>
      <summary>The code of this experiment</summary>
      ${
        description
          ? html`
              <p>The program of the devices, instruction by instruction:</p>
              ${codeBlock("program", description.program)}
            `
          : nothing
      }
      ${
        source
          ? html`
              <p>The functions that made it, in C++, as they run in this page:</p>
              ${source.map(({ name, text }) => codeBlock(name, text))}
            `
          : nothing
      }
    </details>
  `;
}

function codeBlock(name: string, text: string): TemplateResult {
  return html`
    <p class="file">${name}</p>
    <pre tabindex="0" aria-label=${name}><code>${text}</code></pre>
  `;
}
