/** Geometry of the board and the score track. */

import { columnOf, rowOf, type Square } from "../rules/squares";

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

/** The width of a pawn in stones of the track, and its scale where several pawns share a stone. */
export const PAWN = 1.22;
const SHARED = 0.84;

/** The position and the scale of a pawn. */
export interface Spot extends Point {
  scale: number;
}

/** Offsets of the pawns that share a stone, along the track and across it, by their number. */
const GROUPS: [number, number][][] = [
  [[0, 0]],
  [
    [0, -1],
    [0, 1],
  ],
  [
    [-1, -1],
    [1, -1],
    [0, 1],
  ],
  [
    [-1, -1],
    [1, -1],
    [-1, 1],
    [1, 1],
  ],
];

/**
 * Positions for the pawns of these scores, in per cent of the board. Pawns on one stone are grouped around its centre, because
 * beside it they would show another score, and none reaches over the edge of the board, which on a phone is the screen's.
 */
export function pawnSpots(scores: readonly number[]): Spot[] {
  return scores.map((score, seat) => {
    const space = score % TRACK_SPACES;
    const mates = [...scores.keys()].filter((other) => scores[other]! % TRACK_SPACES === space);
    const group = GROUPS[mates.length - 1]!;
    const scale = mates.length > 1 ? SHARED : 1;
    const stride = 0.4 * TRACK_PITCH;
    const level = Math.floor(space / SIDE) % 2 === 0;
    const offsets = group.map(([along, across]) =>
      level ? [along * stride, across * stride] : [across * stride, along * stride],
    );
    const middle = trackPoint(space);
    const kept = (axis: 0 | 1): number => {
      const reach = Math.max(...offsets.map((offset) => offset[axis]!)) + (PAWN / 2) * scale * TRACK_PITCH;
      return Math.min(Math.max(axis === 0 ? middle.x : middle.y, reach), 100 - reach);
    };
    const [dx, dy] = offsets[mates.indexOf(seat)]! as [number, number];
    return { x: kept(0) + dx, y: kept(1) + dy, scale };
  });
}

/** The spaces that a pawn walks over from one score to the next, both ends included. */
export function walk(from: number, to: number): number[] {
  const step = from <= to ? 1 : -1;
  const spaces: number[] = [];
  for (let score = from; score !== to + step; score += step) spaces.push(score % TRACK_SPACES);
  return spaces;
}

/** A pseudo-random number between 0 and 1 for n, so that each stone has its own constant shape. */
export function grain(n: number): number {
  const x = Math.sin(n * 127.1 + 11.7) * 43758.5453;
  return x - Math.floor(x);
}

/** A frame around squares of one line, in squares, whatever their order; its outline is drawn from the first corner. */
export function frameOf(squares: readonly Square[]) {
  const columns = squares.map(columnOf);
  const rows = squares.map(rowOf);
  const [x, y] = [Math.min(...columns), Math.min(...rows)];
  return {
    x: x + 0.03,
    y: y + 0.03,
    width: Math.max(...columns) - x + 0.94,
    height: Math.max(...rows) - y + 0.94,
  };
}
