// Buttons, fields and focus marks that every element adopts, and the card that some stand in.

import { css } from "lit";

export const controlStyle = css`
  * {
    box-sizing: border-box;
  }

  button {
    min-height: 44px;
    padding: 0 calc(2 * var(--space));
    border: 1px solid var(--accent);
    border-radius: 6px;
    background: transparent;
    color: var(--accent);
    font: inherit;
    font-weight: 600;
    cursor: pointer;
  }

  button.primary {
    background: var(--accent);
    color: var(--on-accent);
  }

  button[aria-disabled="true"] {
    border-color: var(--line);
    background: transparent;
    color: var(--ink-quiet);
    cursor: default;
  }

  :focus-visible {
    outline: 3px solid var(--accent);
    outline-offset: 2px;
  }

  input {
    accent-color: var(--accent);
  }

  input[type="text"],
  input[type="number"],
  select {
    min-height: 44px;
    padding: 0 calc(1.5 * var(--space));
    border: 1px solid var(--ink-quiet);
    border-radius: 6px;
    background: var(--ground);
    color: var(--ink);
    font: inherit;
    font-variant-numeric: tabular-nums;
  }

  input[type="range"] {
    width: 100%;
    height: 40px;
    margin: 0;
  }

  code {
    font-family: var(--mono);
    font-size: 0.9em;
  }

  @media (forced-colors: active) {
    button.primary {
      border-width: 3px;
    }
  }
`;

/** An element that stands as a card in the text. */
export const cardStyle = css`
  :host {
    display: block;
    margin: calc(3 * var(--space)) 0;
    padding: calc(2 * var(--space));
    border: 1px solid var(--line);
    border-radius: 10px;
    background: var(--surface);
  }
`;
