/** A move: one tile placed, and the tiles flipped with it, written `h3+7~e3`. */

import { EMPTY_BOARD, flip, place, type Side, type Tile } from "./board";
import { nameOf, squareOf, type Square } from "./squares";

export interface Move {
  square: Square;
  tile: Tile;
  flips: Square[];
}

export function parseMove(text: string): Move | null {
  const match = /^([a-i][1-9])([+=])([1-9])((?:~[a-i][1-9])*)$/.exec(text.trim());
  if (!match) return null;
  const flips = match[4]!
    .split("~")
    .slice(1)
    .map((name) => squareOf(name)!);
  if (new Set(flips).size < flips.length) return null;
  return {
    square: squareOf(match[1]!)!,
    tile: { side: match[2] as Side, digit: Number(match[3]) },
    flips: flips.sort((a, b) => a - b),
  };
}

export const writeMove = (move: Move): string =>
  nameOf(move.square) +
  move.tile.side +
  move.tile.digit +
  [...move.flips]
    .sort((a, b) => a - b)
    .map((square) => `~${nameOf(square)}`)
    .join("");

/** The board after a move whose square is free and whose flips name tiles. */
export const after = (cells: string, move: Move): string => flip(place(cells, move.square, move.tile), move.flips);

/** The board before a move that has been made on it. */
export function before(cells: string, move: Move): string {
  const back = flip(cells, move.flips);
  return back.slice(0, move.square) + EMPTY_BOARD[move.square] + back.slice(move.square + 1);
}

/** Every square that the move touches. */
export const changed = (move: Move): Square[] => [move.square, ...move.flips];
