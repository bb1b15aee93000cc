/** A parsed hint: first the square, then the tile and its side, then the whole move with its points. */

import type { Tile } from "../rules/board";
import { parseMove, writeMove, type Move } from "../rules/moves";
import { nameOf, type Square } from "../rules/squares";
import type { Hint } from "../protocol/messages";
import type { TableSession } from "./session.svelte";

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

/** What the hint button does: ask for a hint or for its next step, lay out its move, or nothing while it is computed or laid out. */
export type HintStep = { do: "ask" | "more" | "wait" | "rest" } | { do: "lay"; move: Move };

/** The next step of a hint. The move that a guide asks for, its `task`, comes before any other, so that both advise the same. */
export function nextStep(session: TableSession, task: Move | null): HintStep {
  if (session.hinting) return { do: "wait" };
  const move = task ?? session.advice?.move;
  if (!move) return { do: session.advice ? "more" : "ask" };
  return session.laid && session.written() === writeMove(move) ? { do: "rest" } : { do: "lay", move };
}
