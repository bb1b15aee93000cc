/** A hint, read: it says the square first, then the tile and its side, then the whole move and its points. */

import type { Tile } from "../rules/board";
import { parseMove, type Move } from "../rules/moves";
import { nameOf, type Square } from "../rules/squares";
import type { Hint } from "../protocol/messages";

export interface Advice {
  square: string;
  tile: Tile | null;
  move: Move | null;
  points: number;
}

export function readHint({ square, tile, move, points }: Hint): Advice {
  return {
    square,
    tile: tile === null ? null : { side: tile[0] === "=" ? "=" : "+", digit: Number(tile[1]) },
    move: move === null ? null : parseMove(move),
    points: points ?? 0,
  };
}

/** Whether a tile that is laid out is on the way to what was advised: on its square, with none but its tiles flipped. */
export function follows(laid: { square: Square; flips: Square[] }, { square, move }: Advice): boolean {
  return nameOf(laid.square) === square && (!move || laid.flips.every((flip) => move.flips.includes(flip)));
}
