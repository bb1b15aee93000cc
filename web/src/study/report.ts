/** What the page makes of a review: accuracy with its inputs, what mattered, the balance of luck and skill, and the curves. */

import type { FactData, MoveData, ReportData, Review, ReviewTurn, SeatData } from "../protocol/messages";
import { closeness } from "./ranking";

export const CLASSES = ["best", "good", "dubious", "mistake", "blunder"] as const;
export type MoveClass = (typeof CLASSES)[number];

/** The usual glyphs of annotated games; a sound move has none. */
export const MARKS: Readonly<Record<MoveClass, string>> = { best: "★", good: "✓", dubious: "?!", mistake: "?", blunder: "??" };

/** What is read of a report: the form of `riverstones analyse --json`, which has more. */
export type Fact = FactData;
export type ReportMove = Pick<
  MoveData,
  "number" | "seat" | "position" | "move" | "points" | "loss" | "counted" | "class" | "chances" | "facts"
> & { best: Pick<MoveData["best"], "move" | "points"> };
export type ReportSeat = Pick<SeatData, "name" | "accuracy" | "counted" | "luck" | "slips" | "rest" | "mattered">;
export type Report = Pick<ReportData, "start" | "result"> & { seats: ReportSeat[]; moves: ReportMove[] };

/** A newer server may have classes that this page has no words for. */
export const classOf = ({ class: name }: Pick<ReportMove, "class">): MoveClass | null =>
  (CLASSES as readonly string[]).includes(name) ? (name as MoveClass) : null;

/** The moves of a seat that its accuracy counts. */
export const countedMoves = ({ moves }: Pick<Report, "moves">, seat: number): ReportMove[] =>
  moves.filter((move) => move.seat === seat && move.counted);

/** The inputs of an accuracy and what they come to: anyone can recompute it. */
export interface Workings {
  losses: readonly number[];
  /** The sum of exp(-loss / 8) over the counted moves. */
  sum: number;
  mean: number;
}

export function workingsOf(report: Pick<Report, "moves">, seat: number): Workings {
  const losses = countedMoves(report, seat).map(({ loss }) => loss);
  const sum = losses.reduce((total, loss) => total + closeness(loss), 0);
  return { losses, sum, mean: losses.length ? (100 * sum) / losses.length : 0 };
}

/** The turns of a seat that cost it most, the costliest first. */
export const whatMattered = ({ seats, moves }: Pick<Report, "seats" | "moves">, seat: number): ReportMove[] =>
  seats[seat]!.mattered.flatMap((number) => moves.filter((move) => move.number === number));

const MOST_MISSED = 3;

/** The turns in which most points were missed, the most first; of these seats, or of all seats if there are none. */
export function mostMissed({ turns }: Pick<Review, "turns">, seats: readonly number[]): ReviewTurn[] {
  const missed = ({ best, points }: ReviewTurn): number => best.points - points;
  return turns
    .filter((turn) => missed(turn) > 0 && (!seats.length || seats.includes(turn.seat)))
    .sort((one, other) => missed(other) - missed(one))
    .slice(0, MOST_MISSED);
}

/** How many counted moves of a seat are of each class. */
export const classCounts = (report: Pick<Report, "moves">, seat: number): Record<MoveClass, number> => {
  const counts = { best: 0, good: 0, dubious: 0, mistake: 0, blunder: 0 };
  for (const move of countedMoves(report, seat)) {
    const found = classOf(move);
    if (found) counts[found] += 1;
  }
  return counts;
};

/** How a seat's chances came from the start to the result: every part in shares of a win. */
export interface Balance {
  start: number;
  /** The tiles that everybody drew. */
  luck: number;
  ownSlips: number;
  otherSlips: number;
  /** What neither the tiles nor the moves explain. */
  rest: number;
  result: number;
}

const total = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0);

/** The parts add up: start + luck + slips + rest = result. */
export function balanceOf({ start, result, seats }: Report, seat: number): Balance {
  return {
    start: start[seat]!,
    luck: total(seats.map(({ luck }) => luck[seat]!)),
    ownSlips: seats[seat]!.slips[seat]!,
    otherSlips: total(seats.filter((_, n) => n !== seat).map(({ slips }) => slips[seat]!)),
    rest: total(seats.map(({ rest }) => rest[seat]!)),
    result: result[seat]!,
  };
}

/** The balance in whole percentage points that add up as well: what rounding leaves over goes to the rest. */
export function roundedBalance(balance: Balance): Balance {
  const points = (part: keyof Balance): number => Math.round(100 * balance[part]);
  const parts = { start: points("start"), luck: points("luck"), ownSlips: points("ownSlips"), otherSlips: points("otherSlips") };
  const result = points("result");
  return { ...parts, rest: result - total(Object.values(parts)), result };
}

/** The chances of each seat over the turns, from before the first to after the last. */
export const chanceLines = ({ start, moves }: Pick<Report, "start" | "moves">): number[][] =>
  start.map((share, seat) => [share, ...moves.map(({ chances }) => chances[seat]!)]);
