// <lockstep-timeline>: who works when, as a picture that the arrow keys walk over.
//
// Property `picture`: a timeline from the engine.
// One tab stop; arrow keys, Home and End move among the cells; Enter, Space or a click tells a
// cell's story below the picture, Escape closes it.

import { html, LitElement, nothing, type PropertyValues, svg, type TemplateResult } from "lit";
import type { Picture, Shape } from "../engine/schedule";
import { controlStyle } from "../view/controls";
import { adoptPictureStyle } from "./picture-style";
import { timelineStyle } from "./timeline-style";
import { type Cell, cellsOf, type Direction, walk } from "./walk";

/** Room above the first shape that is drawn, in CSS pixels. */
const headRoom = 16;
const numberRoom = 5;

export class Timeline extends LitElement {
  static override styles = [controlStyle, timelineStyle];
  static override properties = {
    picture: { attribute: false },
    cursor: { state: true },
    told: { state: true },
  };

  declare picture: Picture | undefined;
  /** Index of the cell that has the cursor. */
  declare private cursor: number;
  /** Index of the cell whose story is told. */
  declare private told: number | undefined;
  /** What does not change while the cursor moves. */
  private drawn: { names: TemplateResult; chart: TemplateResult } | undefined;

  constructor() {
    super();
    this.cursor = 0;
  }

  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    const root = super.createRenderRoot() as ShadowRoot;
    adoptPictureStyle(root);
    return root;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has("picture")) return;
    this.drawn = this.picture && draw(this.picture);
    this.cursor = 0;
    this.told = undefined;
  }

  override render(): TemplateResult | typeof nothing {
    const { picture, drawn } = this;
    if (!picture || !drawn) return nothing;
    const { left, top, width, height } = frameOf(picture);
    return html`
      <figure>
        <figcaption><strong>${picture.title}.</strong> ${noteOf(picture)}</figcaption>
        <div class="frame" tabindex="0" role="application" aria-roledescription="timeline"
          aria-label="${picture.title}. ${picture.description} Arrow keys walk over the cells, Enter
          tells what a cell needs and feeds." @keydown=${this.onKey} @click=${this.onClick}
          @focus=${this.onFocus} @blur=${this.onFocus}>
          <svg class="lockstep-picture names" width=${left} height=${height}
            viewBox="0 ${top} ${left} ${height}" aria-hidden="true">${drawn.names}</svg>
          <svg class="lockstep-picture" width=${width} height=${height}
            viewBox="${left} ${top} ${width} ${height}" aria-hidden="true">
            ${drawn.chart} ${this.cursorView()}
          </svg>
        </div>
        <p class="story" aria-live="polite">${this.storyView()}</p>
      </figure>
    `;
  }

  private get cells(): readonly Cell[] {
    return cellsOf(this.picture?.shapes ?? []);
  }

  private cursorView(): TemplateResult | typeof nothing {
    const hasFocus = this.renderRoot.querySelector(".frame:focus-visible") !== null;
    const index = hasFocus ? this.cursor : this.told;
    const cell = index === undefined ? undefined : this.cells[index];
    if (!cell) return nothing;
    return svg`<rect class="cursor" x=${cell.x} y=${cell.y} width=${cell.width}
      height=${cell.height} />`;
  }

  private storyView(): TemplateResult | string {
    const told = this.told === undefined ? undefined : this.cells[this.told];
    if (told) return html`<strong>${told.title}.</strong> ${told.story}`;
    const hasFocus = this.renderRoot.querySelector(".frame:focus-visible") !== null;
    return (hasFocus && this.cells[this.cursor]?.title) || "Choose a cell to see its story.";
  }

  private readonly onFocus = (): void => {
    this.requestUpdate();
  };

  private readonly onKey = (event: KeyboardEvent): void => {
    switch (event.key) {
      case "ArrowLeft":
      case "ArrowRight":
      case "ArrowUp":
      case "ArrowDown":
      case "Home":
      case "End":
        this.moveTo(walk(this.cells, this.cursor, event.key satisfies Direction));
        break;
      case "Enter":
      case " ":
        this.told = this.cursor;
        break;
      case "Escape":
        this.told = undefined;
        break;
      default:
        return;
    }
    event.preventDefault();
  };

  private readonly onClick = (event: Event): void => {
    const index = (event.target as Element).getAttribute("data-cell");
    if (index === null) return;
    this.cursor = Number(index);
    this.told = this.cursor;
  };

  private moveTo(index: number): void {
    this.cursor = index;
    this.told = undefined;
    const frame = this.renderRoot.querySelector(".frame");
    const cell = this.cells[index];
    const names = this.renderRoot.querySelector(".names")?.clientWidth ?? 0;
    if (!frame || !cell) return;
    const left = cell.x - names;
    const right = left + cell.width;
    const room = frame.clientWidth - names;
    if (left < frame.scrollLeft) frame.scrollLeft = left - headRoom;
    else if (right > frame.scrollLeft + room) frame.scrollLeft = right - room + headRoom;
  }
}

/** Names of the rows stay in view while the chart is scrolled. */
const isName = ({ classes }: Shape) => classes.split(" ").includes("row_name");
/** The page shows these as text of its own, which wraps. */
const isHeading = ({ classes }: Shape) => classes === "heading" || classes === "note";

function noteOf({ shapes }: Picture): string {
  return shapes
    .filter(({ classes }) => classes === "note")
    .map((shape) => (shape.kind === "text" ? shape.text : ""))
    .join(" ");
}

/** What of a picture is shown: right of the names, below the heading. */
function frameOf(picture: Picture) {
  const chart = picture.shapes.filter((shape) => !isName(shape) && !isHeading(shape));
  const starts = chart.map((shape) => (shape.kind === "line" ? shape.x : Infinity));
  // The axis begins with a number, half of which stands left of it.
  const left = Math.min(...starts) - numberRoom;
  const tops = chart.map((shape) => (shape.kind === "path" ? Infinity : shape.y));
  const top = Math.max(0, Math.min(...tops) - headRoom);
  return { left, top, width: picture.width - left, height: picture.height - top };
}

function draw(picture: Picture): { names: TemplateResult; chart: TemplateResult } {
  const chart = picture.shapes.filter((shape) => !isName(shape) && !isHeading(shape));
  let cells = 0;
  const number = (shape: Shape) => (shape.rank === undefined ? undefined : cells++);
  return {
    names: svg`${picture.shapes.filter(isName).map((shape) => node(shape, undefined))}`,
    chart: svg`${chart.map((shape) => node(shape, number(shape)))}`,
  };
}

function node(shape: Shape, cell: number | undefined): TemplateResult {
  switch (shape.kind) {
    case "rect":
      return cell === undefined
        ? svg`<rect class=${shape.classes} x=${shape.x} y=${shape.y} width=${shape.width}
            height=${shape.height} />`
        : svg`<rect class="cell ${shape.classes}" data-cell=${cell} x=${shape.x} y=${shape.y}
            width=${shape.width} height=${shape.height}><title>${shape.title}</title></rect>`;
    case "line":
      return svg`<line class=${shape.classes} x1=${shape.x} y1=${shape.y}
        x2=${shape.x + shape.width} y2=${shape.y + shape.height} />`;
    case "path":
      return svg`<path class=${shape.classes} d=${shape.path} />`;
    case "text":
      return svg`<text class=${shape.classes} x=${shape.x} y=${shape.y}>${shape.text}</text>`;
  }
}
