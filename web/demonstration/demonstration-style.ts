// How demonstrations look.

import { css } from "lit";

export const demonstrationStyle = css`
  h4 {
    margin: 0 0 var(--space);
    font-size: 1.1rem;
  }

  p {
    margin: 0 0 var(--space);
  }

  .sliders {
    display: grid;
    gap: var(--space) calc(3 * var(--space));
    grid-template-columns: repeat(auto-fit, minmax(min(14rem, 100%), 1fr));
    margin: calc(2 * var(--space)) 0;
  }

  .field label {
    display: flex;
    justify-content: space-between;
    gap: var(--space);
    font-weight: 600;
  }

  output,
  dd {
    font-variant-numeric: tabular-nums;
  }

  svg {
    display: block;
    width: 100%;
  }

  .error {
    border-left: 4px solid var(--wrong);
    padding-left: calc(1.5 * var(--space));
  }
`;
