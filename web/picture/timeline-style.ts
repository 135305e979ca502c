// How <lockstep-timeline> looks around its picture; the picture's own colours are the engine's.

import { css } from "lit";

export const timelineStyle = css`
  :host {
    display: block;
    margin: calc(2 * var(--space)) 0;
  }

  figure {
    margin: 0;
  }

  figcaption {
    margin-bottom: var(--space);
  }

  .frame {
    position: relative;
    display: flex;
    overflow-x: auto;
    border: 1px solid var(--line);
    border-radius: 6px;
    background: var(--ground);
    color: var(--ink);
  }

  svg {
    flex: none;
    display: block;
  }

  .names {
    position: sticky;
    left: 0;
    z-index: 1;
    background: var(--ground);
  }

  .cell {
    cursor: pointer;
  }

  /* A cell's number and letter are part of it. */
  svg text {
    pointer-events: none;
  }

  .cursor {
    fill: none;
    stroke: var(--ink);
    stroke-width: 3;
    pointer-events: none;
  }

  .story {
    min-height: 3em;
    margin: var(--space) 0 0;
    color: var(--ink-quiet);
  }

  .story strong {
    color: var(--ink);
  }

  @media (forced-colors: active) {
    /* Browsers force no colours on an SVG, its background included. */
    .names {
      background: Canvas;
    }

    .cursor {
      stroke: Highlight;
    }
  }
`;
