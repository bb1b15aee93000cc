/** What somebody missed in a finished game, to come back as slips. */

import type { Review, Snapshot } from "../protocol/messages";
import { boardAfter } from "../table/history";
import type { GameSlip } from "./slips";
import { solver } from "./solver.svelte";

/** The points by which a better move counts as missed. */
const MISSED_BY = 8;
/** The most that one game adds. */
const MOST = 3;

/** The moves of a person with one seat that scored much less than was possible, the largest difference first. */
export function slipsOf(
  { table, you, turns, options }: Pick<Snapshot, "table" | "you" | "turns" | "options">,
  review: Pick<Review, "turns">,
  cells: string,
): [name: string, slip: GameSlip][] {
  if (you.seats.length !== 1) return [];
  return review.turns
    .filter(
      ({ seat, best, turn, points }) => seat === you.seats[0] && !turns[turn]!.timed_out && best.points - points >= MISSED_BY,
    )
    .sort((one, other) => other.best.points - other.points - (one.best.points - one.points))
    .slice(0, MOST)
    .map(({ turn, hand, points, best }) => [
      `game:${table}:${turn}`,
      {
        board: boardAfter(turn, turns, cells),
        hand: [...hand],
        variant: options.variant,
        best: best.points,
        answer: best.move,
        played: points,
      },
    ]);
}

export function rememberSlips(...game: Parameters<typeof slipsOf>): void {
  for (const [name, slip] of slipsOf(...game)) solver.missedInGame(name, slip);
}
