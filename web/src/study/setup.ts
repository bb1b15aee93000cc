/** Setting up a position: each edit gives a new position, or the reason why there can be no such one. */

import { EMPTY_BOARD, cellOf, flip, isEmpty, tileAt, type Tile } from "../rules/board";
import type { Variant } from "../rules/scoring";
import type { Reason } from "../rules/series";
import type { Square } from "../rules/squares";
import { HIGHEST_SCORE, bagOf, faultsOf, sortHand, type StudyPosition } from "./position";

export type Edited = { position: StudyPosition; fault: null } | { position: null; fault: Reason };

/** The position with these changes. The bag is what is left. */
function edited(position: StudyPosition, change: Partial<StudyPosition>): Edited {
  const whole = { ...position, ...change };
  const next = { ...whole, bag: bagOf(whole) };
  const [fault] = faultsOf(next);
  return fault ? { position: null, fault } : { position: next, fault: null };
}

const withCell = (cells: string, square: Square, cell: string): string => cells.slice(0, square) + cell + cells.slice(square + 1);

/** Put a tile on a square, in place of what is there; null clears it. */
export const putTile = (position: StudyPosition, square: Square, tile: Tile | null): Edited =>
  edited(position, { cells: withCell(position.cells, square, tile ? cellOf(tile) : EMPTY_BOARD[square]!) });

/** Flip the tile on a square, if there is one. */
export const flipTile = (position: StudyPosition, square: Square): Edited =>
  edited(position, { cells: isEmpty(position.cells[square]!) ? position.cells : flip(position.cells, [square]) });

/** Move a tile to another square; what lies there goes back into the bag. To nowhere: off the board. */
export function moveTile(position: StudyPosition, from: Square, to: Square | null): Edited {
  const tile = tileAt(position.cells, from);
  if (!tile || from === to) return { position, fault: null };
  const cells = withCell(position.cells, from, EMPTY_BOARD[from]!);
  return edited(position, { cells: to === null ? cells : withCell(cells, to, cellOf(tile)) });
}

export const clearBoard = (position: StudyPosition): Edited => edited(position, { cells: EMPTY_BOARD });

/** Set one tile of a hand: a digit, `?` for an unknown one, or null for none. */
export function setHandTile(position: StudyPosition, seat: number, index: number, tile: number | "?" | null): Edited {
  const tiles = [...position.hands[seat]!];
  if (tile === null) tiles.splice(index, 1);
  else tiles[Math.min(index, tiles.length)] = String(tile);
  return edited(position, { hands: position.hands.map((hand, n) => (n === seat ? sortHand(tiles) : hand)) });
}

/** Two to four seats. A new one holds two unknown tiles, or as many as are left. */
export function setSeats(position: StudyPosition, seats: number): Edited {
  const { hands, scores, toMove } = position;
  const kept = hands.slice(0, seats);
  while (kept.length < seats) {
    const left = bagOf({ cells: position.cells, hands: kept });
    kept.push("?".repeat(Math.max(0, Math.min(2, left))));
  }
  return edited(position, {
    hands: kept,
    scores: kept.map((_, seat) => scores[seat] ?? 0),
    toMove: Math.min(toMove, seats - 1),
  });
}

export const setToMove = (position: StudyPosition, toMove: number): Edited => edited(position, { toMove });
export const setVariant = (position: StudyPosition, variant: Variant): Edited => edited(position, { variant });

/** A score is a whole number from 0; anything else changes nothing. */
export function setScore(position: StudyPosition, seat: number, score: number): Edited {
  if (!Number.isInteger(score) || score < 0 || score > HIGHEST_SCORE) {
    return { position: null, fault: { code: "position_score", params: { text: String(score) } } };
  }
  return edited(position, { scores: position.scores.map((each, n) => (n === seat ? score : each)) });
}
