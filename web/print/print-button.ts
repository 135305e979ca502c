// <lockstep-print-button>: opens a worksheet in a window and prints it.
//
// Property `worksheet`: makes the worksheet when the button is pressed. Text inside of the element
// is the button's. Says below the button what went wrong, and gives a link where the browser lets
// no window open.

import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { failure, type Result } from "../engine/result";
import { controlStyle } from "../view/controls";
import { openPrintWindow, type PrintWindow } from "./print-window";

type State = { readonly type: "idle" } | PrintWindow | (Result<never> & { readonly type: "error" });

export class PrintButton extends LitElement {
  static override styles = [
    controlStyle,
    css`
      :host {
        display: block;
      }

      a {
        color: var(--accent);
      }
    `,
  ];
  static override properties = { worksheet: { attribute: false }, state: { state: true } };

  declare worksheet: () => Result<{ readonly html: string }>;
  declare private state: State;

  constructor() {
    super();
    this.worksheet = () =>
      failure({ code: "not_ready", where: "page", message: "The lesson is not loaded yet." });
    this.state = { type: "idle" };
  }

  override render(): TemplateResult {
    return html`
      <button type="button" @click=${this.print}><slot>Print a worksheet</slot></button>
      <p role="status">${this.notice()}</p>
    `;
  }

  private notice(): TemplateResult | typeof nothing {
    switch (this.state.type) {
      case "blocked":
        return html`Your browser let no window open.
          <a href=${this.state.address} target="_blank">Open the worksheet</a> yourself, then print
          it.`;
      case "error":
        return html`The worksheet could not be made: ${this.state.error.message}`;
      default:
        return nothing;
    }
  }

  private print(): void {
    const made = this.worksheet();
    this.state = made.type === "error" ? made : openPrintWindow(made.value.html);
  }
}
