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

const overlap = (a: Placed, b: Placed): boolean =>
  Math.abs(a.x - b.x) * 2 < a.width + b.width && Math.abs(a.y - b.y) * 2 < a.height + b.height;

const clamp = (value: number, half: number): number => Math.min(Math.max(value, half - 0.1), SIZE + 0.1 - half);

/** Places for these labels; `keep` are squares better left uncovered, because something is being done there. */
export function placeLabels(wanted: readonly Wanted[], keep: readonly Square[]): Placed[] {
  const taken: Placed[] = keep.map((square) => ({
    x: columnOf(square) + 0.5,
    y: rowOf(square) + 0.5,
    width: 0.7,
    height: 0.7,
  }));
  return wanted.map(({ squares, width, height }) => {
    const options = candidates(squares, width, height);
    const free = options.find((option) => !taken.some((other) => overlap(option, other))) ?? options[0]!;
    taken.push(free);
    return free;
  });
}

/** Below, above and beside the run, the most natural first. */
function candidates(squares: readonly Square[], width: number, height: number): Placed[] {
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
    { x: right, y: bottom + gap },
    { x: left, y: bottom + gap },
    { x: right, y: top - gap },
  ];
  return points.map(({ x, y }) => ({ x: clamp(x, width / 2), y: clamp(y, height / 2), width, height }));
}
