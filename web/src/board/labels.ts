/** Finds a place for each sum and sentence beside the tiles that it speaks of, so that none covers another. */

import { SIZE, columnOf, rowOf, type Square } from "../rules/squares";
import type { Point } from "./geometry";

/** A label's middle, in squares from the top left corner of the grid. */
export interface Placed extends Point {
  width: number;
  height: number;
}

interface Wanted {
  squares: readonly Square[];
  width: number;
  height: number;
}

/** How much of the board there is: a figure may show only a part. */
interface Ground {
  columns: number;
  rows: number;
}

const overlap = (a: Placed, b: Placed): boolean =>
  Math.abs(a.x - b.x) * 2 < a.width + b.width && Math.abs(a.y - b.y) * 2 < a.height + b.height;

const clamp = (value: number, half: number, end: number): number => Math.min(Math.max(value, half - 0.1), end + 0.1 - half);

const around = (square: Square): Placed => ({ x: columnOf(square) + 0.5, y: rowOf(square) + 0.5, width: 0.6, height: 0.6 });

/**
 * Places for these labels. Labels keep clear of each other first of all, then of `busy` squares, where something is
 * being done, then of the tiles that the labels speak of, then of the other `tiles`.
 */
export function placeLabels(
  wanted: readonly Wanted[],
  busy: readonly Square[],
  tiles: readonly Square[],
  ground: Ground = { columns: SIZE, rows: SIZE },
): Placed[] {
  const hands = busy.map(around);
  const lying = tiles.map(around);
  const told = wanted.flatMap(({ squares }) => squares.map(around));
  const placed: Placed[] = [];
  for (const { squares, width, height } of wanted) {
    const cost = (option: Placed): number =>
      100 * placed.filter((other) => overlap(option, other)).length +
      10 * hands.filter((other) => overlap(option, other)).length +
      3 * told.filter((other) => overlap(option, other)).length +
      lying.filter((other) => overlap(option, other)).length;
    const options = candidates({ squares, width, height }, ground);
    placed.push(options.reduce((best, option) => (cost(option) < cost(best) ? option : best)));
  }
  return placed;
}

/** Below, above and beside the run, the most natural first. */
function candidates({ squares, width, height }: Wanted, ground: Ground): Placed[] {
  const columns = squares.map(columnOf);
  const rows = squares.map(rowOf);
  const left = Math.min(...columns);
  const right = Math.max(...columns) + 1;
  const top = Math.min(...rows);
  const bottom = Math.max(...rows) + 1;
  const middle = { x: (left + right) / 2, y: (top + bottom) / 2 };
  const gap = height / 2 + 0.06;
  const points: Point[] = [
    { x: middle.x, y: bottom + gap },
    { x: middle.x, y: top - gap },
    { x: right + width / 2 + 0.06, y: middle.y },
    { x: left - width / 2 - 0.06, y: middle.y },
    { x: middle.x + 0.5, y: bottom + gap },
    { x: middle.x - 0.5, y: bottom + gap },
    { x: middle.x + 0.5, y: top - gap },
    { x: middle.x - 0.5, y: top - gap },
    { x: right, y: bottom + gap },
    { x: left, y: bottom + gap },
    { x: right, y: top - gap },
  ];
  return points.map(({ x, y }) => ({
    x: clamp(x, width / 2, ground.columns),
    y: clamp(y, height / 2, ground.rows),
    width,
    height,
  }));
}
