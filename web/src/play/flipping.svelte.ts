/** Helps a beginner to discover flips: what a flip would have scored, until the player has made one that scores. */

import { isEmpty, tileAt } from "../rules/board";
import { parseMove, type Move } from "../rules/moves";
import { explain, flipRefusal, type Variant } from "../rules/scoring";
import { linesOf, type Square } from "../rules/squares";
import { keep, kept } from "../lib/storage";
import type { EventMessage, Snapshot } from "../protocol/messages";
import { readPosition } from "./position";

export interface ScoringFlip {
  square: Square;
  digit: number;
  points: number;
}

/** The tiles whose flip would make a Kakuro together with this placement, the most points first. */
export function scoringFlips(cells: string, { square, tile }: Move, variant: Variant): ScoringFlip[] {
  const near = linesOf(square).flatMap(({ squares }) => squares.filter((each) => !isEmpty(cells[each]!)));
  const moves = near.map((flip): Move => ({ square, tile, flips: [flip] }));
  return moves
    .filter((move) => !flipRefusal(cells, move, variant))
    .map((move) => {
      const flip = move.flips[0]!;
      return { square: flip, digit: tileAt(cells, flip)!.digit, points: explain(cells, move, variant).points };
    })
    .sort((a, b) => b.points - a.points);
}

class Flipping {
  /** Whether a flip has ever scored on this device. */
  known = $state(kept("flipped") !== null);
  /** The tables where a missed flip has been told. */
  private told = new Set<string>();

  /** Note a move; returns the flip that a beginner has missed with it, once per table. */
  after({ event }: EventMessage, before: Snapshot): ScoringFlip | null {
    if (event.type !== "moved" || event.timed_out || event.seat !== before.you.seat) return null;
    const move = parseMove(event.move)!;
    if (move.flips.length && event.points) {
      this.known = true;
      keep("flipped", "yes");
    }
    const { scoring, variant } = before.options;
    if (this.known || event.points || scoring === "claims" || this.told.has(before.table)) return null;
    const [missed] = scoringFlips(readPosition(before.now.position!).cells, move, variant);
    if (missed) this.told.add(before.table);
    return missed ?? null;
  }
}

export const flipping = new Flipping();
