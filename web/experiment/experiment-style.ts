// How <lockstep-experiment> looks.

import { css } from "lit";

export const experimentStyle = css`
  :host {
    display: block;
    margin: calc(5 * var(--space)) 0;
  }

  h3,
  h4 {
    margin: calc(3 * var(--space)) 0 var(--space);
    font-size: 1.2rem;
    line-height: 1.3;
  }

  h4 {
    font-size: 1.05rem;
  }

  p {
    max-width: 66ch;
    margin: 0 0 calc(1.5 * var(--space));
  }

  .quiet {
    color: var(--ink-quiet);
    font-size: 0.9em;
  }

  form {
    display: grid;
    gap: calc(1.5 * var(--space));
    padding: calc(2 * var(--space));
    border: 1px solid var(--line);
    border-radius: 10px;
    background: var(--surface);
  }

  .field label {
    display: flex;
    justify-content: space-between;
    font-weight: 600;
  }

  .field select {
    margin: 6px 0 var(--space);
  }

  output {
    font-variant-numeric: tabular-nums;
  }

  .choice {
    display: grid;
    grid-template-columns: auto 1fr;
    column-gap: var(--space);
  }

  .choice input {
    width: 20px;
    height: 20px;
    margin: 3px 0;
  }

  .choice small {
    grid-column: 2;
    color: var(--ink-quiet);
    font-size: 0.9em;
  }

  .actions {
    display: flex;
    flex-wrap: wrap;
    gap: calc(1.5 * var(--space));
  }

  .status {
    margin: calc(2 * var(--space)) 0;
    color: var(--ink-quiet);
  }

  .notice {
    margin: calc(2 * var(--space)) 0;
    padding: calc(1.5 * var(--space)) calc(2 * var(--space));
    border-left: 4px solid var(--wrong);
    border-radius: 4px;
    background: var(--surface);
  }

  .refusal .notice {
    margin: 0;
  }

  .refusal:empty {
    /* The region has to be there before what it announces; its gap need not. */
    margin-top: calc(-1.5 * var(--space));
  }

  .notice p {
    margin: 0;
  }

  .notice p + p {
    margin-top: var(--space);
    color: var(--ink-quiet);
  }

  .frame {
    overflow-x: auto;
  }

  table {
    width: 100%;
    border-collapse: collapse;
    font-variant-numeric: tabular-nums;
  }

  caption {
    padding-bottom: var(--space);
    color: var(--ink-quiet);
    text-align: left;
  }

  th,
  td {
    padding: 6px 0 6px calc(1.5 * var(--space));
    border-top: 1px solid var(--line);
    font-weight: 400;
    text-align: right;
    white-space: nowrap;
  }

  th:first-child,
  td:first-child {
    padding-left: 0;
    text-align: left;
  }

  thead th {
    border-top: 0;
    color: var(--ink-quiet);
    font-size: 0.9em;
  }

  .work {
    width: 40%;
    text-align: left;
  }

  progress {
    display: block;
    width: 100%;
    min-width: 3rem;
    height: 10px;
    border: 0;
    border-radius: 5px;
    background: var(--line);
    appearance: none;
  }

  progress::-webkit-progress-bar {
    border-radius: 5px;
    background: var(--line);
  }

  progress::-webkit-progress-value {
    border-radius: 5px;
    background: var(--accent);
  }

  progress::-moz-progress-bar {
    border-radius: 5px;
    background: var(--accent);
  }

  progress.waiting {
    margin: calc(-1 * var(--space)) 0 calc(2 * var(--space));
    background: repeating-linear-gradient(
      -45deg,
      var(--line) 0 10px,
      var(--accent) 10px 20px
    );
  }

  .waiting::-webkit-progress-bar {
    background: transparent;
  }

  .verdict {
    padding: calc(2 * var(--space));
    border: 1px solid var(--line);
    border-radius: 10px;
    background: var(--surface);
  }

  .verdict h4 {
    display: flex;
    gap: var(--space);
    margin: 0 0 var(--space);
    color: var(--right);
  }

  .verdict.wrong h4 {
    color: var(--wrong);
  }

  .verdict p {
    margin: 0 0 calc(1.5 * var(--space));
  }

  dl {
    display: grid;
    grid-template-columns: max-content 1fr;
    gap: 4px calc(2 * var(--space));
    margin: 0 0 calc(2 * var(--space));
  }

  dt {
    color: var(--ink-quiet);
  }

  dd {
    margin: 0;
    font-variant-numeric: tabular-nums;
  }

  .hash {
    font-family: var(--mono);
    overflow-wrap: anywhere;
  }

  .command {
    display: block;
    padding: var(--space) calc(1.5 * var(--space));
    border: 1px solid var(--line);
    border-radius: 6px;
    background: var(--ground);
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }

  @media (max-width: 30rem) {
    dl {
      grid-template-columns: 1fr;
      gap: 0;
    }

    dd {
      margin-bottom: var(--space);
    }

    table {
      font-size: 0.9em;
    }

    th,
    td {
      padding-left: var(--space);
    }

    .work {
      width: 25%;
    }

    progress {
      min-width: 2rem;
    }
  }
`;
