/**
 * What somebody missed in a finished game, to come back as slips: by points when the game ends, and by what the moves cost
 * once the game has been reviewed.
 */

import type { Review, Snapshot } from "../protocol/messages";
import { boardAfter } from "../play/history";
import { digitsOf, readPosition } from "./position";
import { whatMattered, type Report } from "./report";
import type { GameSlip } from "./slips";
import { solver } from "./solver.svelte";

/** The points by which a better move counts as missed. */
const MISSED_BY = 8;
/** The most that one game adds. */
const MOST = 3;

const nameOf = (table: string, turn: number | ""): string => `game:${table}:${turn}`;

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
      nameOf(table, turn),
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

/** The turns of a seat that mattered by the review; `most` is the most points that a move of each turn could score. */
export function slipsOfReport(
  table: string,
  seat: number,
  report: Pick<Report, "seats" | "moves">,
  most: readonly number[],
): [name: string, slip: GameSlip][] {
  return whatMattered(report, seat).map(({ number, position, points, best, loss }) => {
    const { cells, hands, toMove, variant } = readPosition(position).position!;
    const further = points >= best.points || best.points < (most[number - 1] ?? Infinity);
    return [
      nameOf(table, number - 1),
      {
        board: cells,
        hand: digitsOf(hands[toMove]!)!,
        variant,
        best: best.points,
        answer: best.move,
        played: points,
        loss,
        ...(further && { further }),
      },
    ];
  });
}

/** Replace the slips of a game by those of its review. */
export function rememberReview(table: string, ...reviewed: [seat: number, report: Report, most: readonly number[]]): void {
  solver.reviewedGame(nameOf(table, ""), slipsOfReport(table, ...reviewed));
}

export function rememberSlips(...game: Parameters<typeof slipsOf>): void {
  for (const [name, slip] of slipsOf(...game)) solver.missedInGame(name, slip);
}
