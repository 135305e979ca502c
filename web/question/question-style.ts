// How <lockstep-question> looks.

import { css } from "lit";

export const questionStyle = css`
  p {
    margin: 0;
  }

  fieldset {
    min-width: 0;
    margin: 0;
    padding: 0;
    border: 0;
  }

  .prompt {
    display: block;
    max-width: 66ch;
    padding: 0;
    font-weight: 600;
  }

  .line {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: var(--space) calc(1.5 * var(--space));
    margin: calc(1.5 * var(--space)) 0 calc(0.5 * var(--space));
  }

  .line input {
    width: 14rem;
    max-width: 100%;
  }

  .quiet {
    color: var(--ink-quiet);
    font-size: 0.9em;
  }

  .options {
    display: grid;
  }

  .option {
    display: grid;
    grid-template-columns: auto auto 1fr;
    gap: calc(1.5 * var(--space));
    align-items: start;
    min-height: 44px;
    padding: 9px var(--space);
    border-radius: 6px;
    cursor: pointer;
  }

  .option:hover {
    background: var(--ground);
  }

  .options .option:first-of-type {
    margin-top: var(--space);
  }

  .letter {
    font-weight: 600;
  }

  .confidence {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0 calc(2 * var(--space));
    margin-top: var(--space);
    color: var(--ink-quiet);
    font-size: 0.9em;
  }

  .confidence legend {
    float: left;
    padding: 0;
  }

  .confidence label {
    display: inline-flex;
    gap: 6px;
    align-items: center;
    min-height: 44px;
    cursor: pointer;
  }

  input[type="radio"] {
    width: 20px;
    height: 20px;
    margin: 3px 0 0;
  }

  .confidence input[type="radio"] {
    margin: 0;
  }

  .actions {
    display: flex;
    flex-wrap: wrap;
    gap: var(--space) calc(1.5 * var(--space));
    margin-top: calc(1.5 * var(--space));
  }

  .verdict {
    margin-top: calc(2 * var(--space));
    padding: calc(1.5 * var(--space)) calc(2 * var(--space));
    border-left: 4px solid var(--ink-quiet);
    border-radius: 4px;
    background: var(--ground);
  }

  .verdict.correct {
    border-color: var(--right);
  }

  .verdict.correct strong {
    color: var(--right);
  }

  .verdict.incorrect,
  .verdict.partial {
    border-color: var(--wrong);
  }

  .verdict.incorrect strong,
  .verdict.partial strong {
    color: var(--wrong);
  }

  .note {
    margin-top: var(--space);
  }

  .help {
    display: grid;
    gap: var(--space);
    margin: calc(2 * var(--space)) 0 0;
    padding-left: calc(2.5 * var(--space));
  }

  .solution {
    display: grid;
    gap: var(--space);
    margin-top: calc(2 * var(--space));
  }
`;
