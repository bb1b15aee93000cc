/** Where things lie, in the board's own units. */

export interface Point {
  x: number;
  y: number;
}

/** Steps along one side of the score track: 26 stones a side, the corners shared, make a hundred. */
const SIDE = 25;
export const TRACK_SPACES = 100;
export const TRACK_PITCH = 100 / (SIDE + 1);

/** The middle of a space of the track in per cent of the board, clockwise from 0 at the top left corner. */
export function trackPoint(space: number): Point {
  const side = Math.floor(space / SIDE);
  const step = space % SIDE;
  const [column, row] = [
    [step, 0],
    [SIDE, step],
    [SIDE - step, SIDE],
    [0, SIDE - step],
  ][side]! as [number, number];
  return { x: (column + 0.5) * TRACK_PITCH, y: (row + 0.5) * TRACK_PITCH };
}

/** The spaces that a pawn walks over from one score to the next, both ends included. */
export function walk(from: number, to: number): number[] {
  const step = from <= to ? 1 : -1;
  const spaces: number[] = [];
  for (let score = from; score !== to + step; score += step) spaces.push(score % TRACK_SPACES);
  return spaces;
}

/** A number between 0 and 1 that is always the same for the same n: stones differ, and stay as they are. */
export function grain(n: number): number {
  const x = Math.sin(n * 127.1 + 11.7) * 43758.5453;
  return x - Math.floor(x);
}
