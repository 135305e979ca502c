// <lockstep-timeline>: who works when, as a picture that the arrow keys walk over.
//
// Property `picture`: a timeline from the engine, undefined to show nothing.
// Events: none.
// One tab stop; arrow keys, Home and End move among the cells; Enter, Space, a click or a tap tells
// a cell's story below the picture, Escape closes it.

import { html, LitElement, nothing, type PropertyValues, svg, type TemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";
import type { Picture, Shape } from "../engine/schedule";
import { controlStyle } from "../view/controls";
import { adoptPictureStyle } from "./picture-style";
import { timelineStyle } from "./timeline-style";
import { type Cell, cellAt, cellsOf, type Direction, walk } from "./walk";

/** Room above the first shape that is drawn, in CSS pixels. */
const headRoom = 16;
const numberRoom = 5;
/** What is seen of the neighbours of a cell that was scrolled to. */
const sideRoom = 16;

export class Timeline extends LitElement {
  static override styles = [controlStyle, timelineStyle];
  static override properties = {
    picture: { attribute: false },
    cursor: { state: true },
    told: { state: true },
    walks: { state: true },
  };

  declare picture: Picture | undefined;
  /** Index of the cell that has the cursor. */
  declare private cursor: number;
  /** Index of the cell whose story is told. */
  declare private told: number | undefined;
  /** Whether the keyboard is here, so that the cursor is shown. */
  declare private walks: boolean;
  private cells: readonly Cell[] = [];

  constructor() {
    super();
    this.cursor = 0;
    this.walks = false;
  }

  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    const root = super.createRenderRoot() as ShadowRoot;
    adoptPictureStyle(root);
    return root;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has("picture")) return;
    this.cells = cellsOf(this.picture?.shapes ?? []);
    this.cursor = 0;
    this.told = undefined;
  }

  override render(): TemplateResult | typeof nothing {
    const { picture } = this;
    if (!picture) return nothing;
    const { left, top, width, height } = frameOf(picture);
    // A cursor that moves leaves the shapes alone.
    const once = (part: (picture: Picture) => unknown) => guard([picture], () => part(picture));
    return html`
      <figure>
        <figcaption><strong>${picture.title}.</strong> ${noteOf(picture)}</figcaption>
        <div class="frame" tabindex="0" role="application" aria-roledescription="timeline"
          aria-label=${picture.title} aria-describedby="said keys" @keydown=${this.onKey}
          @click=${this.onClick} @focus=${this.onFocus} @blur=${this.onBlur}>
          <svg class="lockstep-picture names" width=${left} height=${height}
            viewBox="0 ${top} ${left} ${height}" aria-hidden="true">${once(namesView)}</svg>
          <svg class="lockstep-picture chart" width=${width} height=${height}
            viewBox="${left} ${top} ${width} ${height}" aria-hidden="true">
            ${once(chartView)} ${this.cursorView()}
          </svg>
        </div>
        <p id="said" hidden>${picture.description}</p>
        <p id="keys" hidden>
          Arrow keys walk over the cells, Enter tells what a cell needs and feeds.
        </p>
        <p class="story" aria-live="polite">${this.storyView()}</p>
      </figure>
    `;
  }

  private cursorView(): TemplateResult | typeof nothing {
    const index = this.walks ? this.cursor : this.told;
    const cell = index === undefined ? undefined : this.cells[index];
    if (!cell) return nothing;
    return svg`<rect class="cursor" x=${cell.x} y=${cell.y} width=${cell.width}
      height=${cell.height} />`;
  }

  private storyView(): TemplateResult | string {
    const told = this.told === undefined ? undefined : this.cells[this.told];
    if (told) return html`<strong>${told.title}.</strong> ${told.story}`;
    return (this.walks && this.cells[this.cursor]?.title) || "Choose a cell to see its story.";
  }

  /** A frame that was clicked has the focus, too, but then the click says what is marked. */
  private readonly onFocus = (event: Event): void => {
    this.walks = (event.currentTarget as Element).matches(":focus-visible");
  };

  private readonly onBlur = (): void => {
    this.walks = false;
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
        // What is not ours to close may be somebody else's.
        if (this.told === undefined) return;
        this.told = undefined;
        break;
      default:
        return;
    }
    this.walks = true;
    event.preventDefault();
  };

  private readonly onClick = (event: MouseEvent): void => {
    const chart = this.renderRoot.querySelector(".chart");
    if (!chart || !this.picture) return;
    const { left, top } = frameOf(this.picture);
    const box = chart.getBoundingClientRect();
    const x = event.clientX - box.left + left;
    const y = event.clientY - box.top + top;
    const index = cellAt(this.cells, x, y);
    if (index === undefined) return;
    this.walks = false;
    this.cursor = index;
    this.told = index;
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
    // Of a cell that has no room the start is shown.
    const toLeft = left - sideRoom;
    if (left < frame.scrollLeft) frame.scrollLeft = toLeft;
    else if (right > frame.scrollLeft + room) {
      frame.scrollLeft = Math.min(right - room + sideRoom, toLeft);
    }
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

function namesView({ shapes }: Picture): readonly TemplateResult[] {
  return shapes.filter(isName).map(node);
}

function chartView({ shapes }: Picture): readonly TemplateResult[] {
  return shapes.filter((shape) => !isName(shape) && !isHeading(shape)).map(node);
}

function node(shape: Shape): TemplateResult {
  switch (shape.kind) {
    case "rect":
      return shape.rank === undefined
        ? svg`<rect class=${shape.classes} x=${shape.x} y=${shape.y} width=${shape.width}
            height=${shape.height} />`
        : svg`<rect class="cell ${shape.classes}" x=${shape.x} y=${shape.y} width=${shape.width}
            height=${shape.height}><title>${shape.title}</title></rect>`;
    case "line":
      return svg`<line class=${shape.classes} x1=${shape.x} y1=${shape.y}
        x2=${shape.x + shape.width} y2=${shape.y + shape.height} />`;
    case "path":
      return svg`<path class=${shape.classes} d=${shape.path} />`;
    case "text":
      return svg`<text class=${shape.classes} x=${shape.x} y=${shape.y}>${shape.text}</text>`;
  }
}
