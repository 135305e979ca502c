// How <lockstep-experiment-code> looks.

import { css } from "lit";

export const codeStyle = css`
  p {
    max-width: 66ch;
    margin: 0 0 calc(1.5 * var(--space));
  }

  .quiet {
    color: var(--ink-quiet);
  }

  summary {
    min-height: 44px;
    padding: 10px 0;
    color: var(--accent);
    font-weight: 600;
    cursor: pointer;
  }

  .file {
    margin: 0 0 4px;
    color: var(--ink-quiet);
    font-size: 0.9em;
  }

  pre {
    max-height: 24rem;
    margin: 0 0 calc(2 * var(--space));
    padding: calc(1.5 * var(--space));
    overflow: auto;
    border: 1px solid var(--line);
    border-radius: 6px;
    background: var(--surface);
    font-family: var(--mono);
    font-size: 0.85em;
    line-height: 1.4;
  }
`;
