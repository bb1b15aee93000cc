/** A parsed hint: first the square, then the tile and its side, then the whole move with its points. */

import type { Tile } from "../rules/board";
import { parseMove, type Move } from "../rules/moves";
import { nameOf, type Square } from "../rules/squares";
import type { Hint } from "../protocol/messages";

export interface Advice {
  square: string;
  tile: Tile | null;
  move: Move | null;
  points: number;
  /** The most points that any move scores now; null if the hint does not say. */
  most: number | null;
  /** Whether the move was chosen by looking ahead. */
  lookedAhead: boolean;
}

export function readHint({ square, tile, move, points, most, looked_ahead }: Hint): Advice {
  return {
    square,
    tile: tile === null ? null : { side: tile[0] === "=" ? "=" : "+", digit: Number(tile[1]) },
    move: move === null ? null : parseMove(move),
    points: points ?? 0,
    most,
    lookedAhead: looked_ahead ?? false,
  };
}

/** Whether the tentative move is part of the hint: on its square, with only its flips. */
export function follows(laid: { square: Square; flips: Square[] }, { square, move }: Advice): boolean {
  return nameOf(laid.square) === square && (!move || laid.flips.every((flip) => move.flips.includes(flip)));
}
