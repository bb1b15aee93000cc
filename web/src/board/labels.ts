/** Positions the labels of sums next to their tiles, so that they cover neither these nor each other. */

import { SIZE, columnOf, rowOf, type Square } from "../rules/squares";
import type { Point } from "./geometry";

/** A label's middle, in squares from the top left corner of the grid. */
export interface Placed extends Point {
  width: number;
  height: number;
  /** There was no room: the label covers other tiles. */
  over: boolean;
  /** There was not even room beside its own tiles and the other labels. */
  cramped: boolean;
}

export interface Size {
  width: number;
  height: number;
}

interface Wanted {
  squares: readonly Square[];
  /** The label's possible sizes, the best first: a sentence may be wide or narrow. */
  sizes: readonly Size[];
}

/** The size of the board; a figure may show only a part. */
interface Ground {
  columns: number;
  rows: number;
}

type Box = Point & Size;

const overlap = (a: Box, b: Box): boolean =>
  Math.abs(a.x - b.x) * 2 < a.width + b.width && Math.abs(a.y - b.y) * 2 < a.height + b.height;

/** The part of a square that must stay visible for its tile to be readable. */
const around = (square: Square): Box => ({ x: columnOf(square) + 0.5, y: rowOf(square) + 0.5, width: 0.62, height: 0.62 });

const count = (option: Box, others: readonly Box[]): number => others.filter((other) => overlap(option, other)).length;

/** How far a label is from the nearest of these squares. */
const distance = ({ x, y, width, height }: Box, squares: readonly Square[]): number =>
  Math.min(
    ...squares.map((square) => {
      const beside = Math.abs(x - columnOf(square) - 0.5) - (width + 1) / 2;
      const over = Math.abs(y - rowOf(square) - 0.5) - (height + 1) / 2;
      return Math.hypot(Math.max(0, beside), Math.max(0, over));
    }),
  );

/**
 * Places for these labels. None lies over a tile of its own, and labels keep clear of each other; then of `busy` squares, where
 * something is being done, then of places that are nearer to the tiles of another label, then of the tiles that other labels
 * speak of, then of all `tiles`. Among equals the nearest is taken.
 */
export function placeLabels(
  wanted: readonly Wanted[],
  busy: readonly Square[],
  tiles: readonly Square[],
  ground: Ground = { columns: SIZE, rows: SIZE },
): Placed[] {
  const hands = busy.map(around);
  const lying = tiles.map(around);
  const told = [...new Set(wanted.flatMap(({ squares }) => squares))].map(around);
  const placed: Placed[] = [];
  for (const each of wanted) {
    const own = each.squares.map(around);
    const others = wanted.flatMap(({ squares }) => squares).filter((square) => !each.squares.includes(square));
    let best: { cost: number; box: Box } | null = null;
    for (const { far, ...box } of candidates(each, ground)) {
      const cost =
        300 * count(box, own) +
        100 * count(box, placed) +
        20 * count(box, hands) +
        (distance(box, others) < distance(box, each.squares) ? 5 : 0) +
        4 * count(box, told) +
        2 * count(box, lying) +
        far;
      if (!best || cost < best.cost) best = { cost, box };
    }
    const { box } = best!;
    const over = count(box, [...hands, ...told, ...lying]) > 0;
    placed.push({ ...box, over, cramped: count(box, [...own, ...placed]) > 0 });
  }
  return placed;
}

/** How far a label may extend beyond the edge of the grid, in squares. */
const EDGE = 0.5;
const STEP = 0.5;
/** The penalty for a size that is not the label's best. */
const RESIZED = 0.7;

/** Below and above the run, then beside it; each also shifted and further away, at a price that grows with the distance. */
function candidates({ squares, sizes }: Wanted, { columns, rows }: Ground): (Box & { far: number })[] {
  const [xs, ys] = [squares.map(columnOf), squares.map(rowOf)];
  const [left, right] = [Math.min(...xs), Math.max(...xs) + 1];
  const [top, bottom] = [Math.min(...ys), Math.max(...ys) + 1];
  const middle = { x: (left + right) / 2, y: (top + bottom) / 2 };
  const found: (Box & { far: number })[] = [];
  const offer = (x: number, y: number, { width, height }: Size, price: number): void => {
    const inside = x - width / 2 >= -0.1 && x + width / 2 <= columns + 0.1;
    const out = Math.max(height / 2 - y, y + height / 2 - rows);
    const beside = Math.max(0, left - x - width / 2, x - width / 2 - right);
    const over = Math.max(0, top - y - height / 2, y - height / 2 - bottom);
    const far = price + Math.hypot(beside, over) * 1.6 + (out > 0 ? 0.9 : 0);
    if (inside && out <= EDGE) found.push({ x, y, width, height, far });
  };
  const gap = 0.04;
  sizes.forEach((size, n) => {
    const { width, height } = size;
    for (let away = 0; away <= 1.5; away += STEP) {
      for (let shift = 0; shift <= 3; shift += STEP) {
        const price = shift * 0.5 + n * RESIZED;
        for (const side of shift ? [-shift, shift] : [0]) {
          const x = Math.min(Math.max(middle.x + side, width / 2), columns - width / 2);
          offer(x, bottom + height / 2 + gap + away, size, price);
          offer(x, top - height / 2 - gap - away, size, price + 0.1);
          offer(right + width / 2 + gap + away, middle.y + side, size, price + 0.2);
          offer(left - width / 2 - gap - away, middle.y + side, size, price + 0.3);
        }
      }
    }
  });
  // The last resort, for a run and a label as wide as the board: the edge of the run itself.
  if (!found.length) {
    const { width, height } = sizes[0]!;
    const y = Math.min(Math.max(bottom, height / 2), rows + EDGE - height / 2);
    found.push({ x: columns / 2, y, width, height, far: 0 });
  }
  return found;
}

/**
 * Whether the sentence at a square stands below or above it: where it lies over fewer tiles, and rather not over one that
 * is being laid out.
 */
export function noteSide(square: Square, busy: readonly Square[], tiles: readonly Square[], rows: number): "below" | "above" {
  const row = rowOf(square);
  if (row >= rows - 1) return "above";
  if (row === 0) return "below";
  const near = (other: Square) => Math.abs(columnOf(other) - columnOf(square)) <= 2;
  /** Of two rows on one side the nearer counts more: the sentence reaches into the second with its last line only. */
  const cost = (way: 1 | -1) =>
    [2, 1].reduce((sum, weight, n) => {
      const there = (other: Square) => near(other) && rowOf(other) === row + way * (n + 1);
      return sum + weight * (tiles.filter(there).length + 5 * busy.filter(there).length);
    }, 0);
  return cost(1) <= cost(-1) ? "below" : "above";
}
