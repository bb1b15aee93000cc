/** Ranked plays: where a move stands among them, and how its worth is written. */

import type { RankedPlays } from "../protocol/messages";

export type Ranking = Pick<RankedPlays, "plays" | "exact">;

/** Within this of the best, in points, a play is as good as the best. */
export const AS_GOOD = 0.05;
/** The loss, in points, at which a move has lost 63 % of what it could be. */
const LOSS_SCALE = 8;

/** How close a move comes to the best one, from 0 to 1: the share that it adds to an accuracy. */
export const closeness = (loss: number): number => (loss < AS_GOOD ? 1 : Math.exp(-loss / LOSS_SCALE));

export interface Place {
  /** From 1; plays of equal worth share a rank. */
  rank: number;
  count: number;
  loss: number;
}

/** Where a move stands; null if it is not among the plays. */
export function placeOf({ plays }: Pick<Ranking, "plays">, move: string): Place | null {
  const play = plays.find((each) => each.move === move);
  if (!play) return null;
  const better = plays.filter(({ worth }) => worth - play.worth >= AS_GOOD).length;
  return { rank: better + 1, count: plays.length, loss: Math.max(0, plays[0]!.worth - play.worth) };
}
