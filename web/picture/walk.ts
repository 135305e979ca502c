// Which cell of a timeline is meant by a key or a click.

import type { Shape } from "../engine/schedule";

/** A cell: the shape of an instruction. */
export type Cell = Shape & { readonly kind: "rect"; readonly rank: number };

export type Direction = "ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown" | "Home" | "End";

/** The cells of a picture's shapes, in their order: device by device, by time. */
export function cellsOf(shapes: readonly Shape[]): readonly Cell[] {
  return shapes.filter((shape): shape is Cell => shape.kind === "rect" && shape.rank !== undefined);
}

/**
 * The index of the cell that a key leads to from the cell `from`: left and right in a device's row,
 * up and down to what the next device does at that time, Home and End to the ends of the row.
 */
export function walk(cells: readonly Cell[], from: number, key: Direction): number {
  const here = cells[from];
  if (!here) return 0;
  const row = indexesOf(cells, here.rank);
  const at = row.indexOf(from);
  switch (key) {
    case "ArrowLeft":
      return row[at - 1] ?? from;
    case "ArrowRight":
      return row[at + 1] ?? from;
    case "Home":
      return row[0] ?? from;
    case "End":
      return row.at(-1) ?? from;
    case "ArrowUp":
    case "ArrowDown": {
      const rank = here.rank + (key === "ArrowUp" ? -1 : 1);
      return nearest(cells, indexesOf(cells, rank), here) ?? from;
    }
  }
}

/** How far from a cell a finger or a pointer may be to mean it, in CSS pixels. */
const reach = 12;

/**
 * The index of the cell that is meant by a click at a point: the one there, or the nearest within
 * reach, for cells may be too thin to be hit.
 */
export function cellAt(cells: readonly Cell[], x: number, y: number): number | undefined {
  let best: number | undefined;
  let least = reach;
  for (const [index, cell] of cells.entries()) {
    if (y < cell.y || y > cell.y + cell.height) continue;
    const distance = Math.max(cell.x - x, x - (cell.x + cell.width), 0);
    if (distance >= least) continue;
    best = index;
    least = distance;
  }
  return best;
}

function indexesOf(cells: readonly Cell[], rank: number): readonly number[] {
  return cells.flatMap((cell, index) => (cell.rank === rank ? [index] : []));
}

/** Of the cells `row`, the one whose middle is nearest in time. */
function nearest(cells: readonly Cell[], row: readonly number[], here: Cell): number | undefined {
  const distance = (index: number) => Math.abs(middle(cells[index]) - middle(here));
  return row.length === 0
    ? undefined
    : row.reduce((best, index) => (distance(index) < distance(best) ? index : best));
}

function middle(cell: Cell | undefined): number {
  return cell ? cell.x + cell.width / 2 : 0;
}
