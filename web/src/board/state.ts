/** The input of the board component. It knows nothing of servers or pages. */

import type { Tile } from "../rules/board";
import type { Square } from "../rules/squares";

/** A series that is lit, with what is written beside it. */
export interface Light {
  squares: Square[];
  text: string;
  tone: "made" | "miss";
  /** The text is a sentence, which takes several lines. */
  sentence?: boolean;
}

/** A sentence at a square: why something cannot be done, or in the calm tone what could be. */
export interface Note {
  square: Square;
  text: string;
  tone?: "calm";
}

/** A tile that is laid down but not yet played, and the tiles flipped with it. */
export interface Tentative {
  square: Square;
  tile: Tile;
  flips: Square[];
}

export interface Mark {
  square: Square;
  flips: Square[];
}

export interface PawnState {
  seat: number;
  score: number;
  initial: string;
  colour: string;
}

/** Points on their way from a square to the pawn of a score. */
export interface FlightState {
  text: string;
  square: Square;
  score: number;
  onend: () => void;
}

export interface BoardState {
  cells: string;
  /** The position is not known yet: the background is drawn, the squares are not. */
  bare?: boolean;
  /** An earlier position is shown. */
  past?: boolean;
  stones: readonly Square[];
  /** Where the tile in hand may go; null while none is in hand. */
  legal?: ReadonlySet<Square> | null;
  /** The tile in hand, shown faintly under the pointer. */
  held?: Tile | null;
  tentative?: Tentative | null;
  last?: Mark | null;
  /** The moves of the other opponents before the last one. */
  recent?: readonly Mark[];
  /** The square of a tile that was just placed, which is animated. */
  placed?: Square | null;
  lights?: Light[];
  note?: Note | null;
  hinted?: readonly Square[];
  pawns?: PawnState[];
  /** Several at once, when moves follow each other quickly. */
  flights?: readonly FlightState[];
}
