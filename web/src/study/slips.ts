/** A slip comes back after 1, 3, 7 and 21 days; solved four times, it is learnt. Missed again, it starts anew. */

import { shift, type Day } from "./dates";
import type { Variant } from "../rules/scoring";

export const INTERVALS = [1, 3, 7, 21];

/** A better move that was missed in one of one's own games. */
export interface GameSlip {
  board: string;
  hand: number[];
  variant: Variant;
  /** The points that were possible, and a move that scores them. */
  best: number;
  answer: string;
  /** The points of the move that was played. */
  played: number;
  /** What that move cost by the review of the game; missing while only its points were compared. */
  loss?: number;
  /** Looking ahead, `answer` is the best although other moves score as much or more: only it solves the slip. */
  further?: boolean;
}

export interface Slip {
  /** How often it has been solved since it was last missed. */
  step: number;
  /** When it comes back; null once it is learnt. */
  due: Day | null;
  /** When this was last changed, in milliseconds. */
  at: number;
  game?: GameSlip;
}

export type Slips = Readonly<Record<string, Slip>>;

export function missed(today: Day, at: number, game?: GameSlip): Slip {
  return { step: 0, due: shift(today, INTERVALS[0]!), at, ...(game && { game }) };
}

/** The slip after it has been solved on a day; unchanged if it is not due yet. */
export function solved(slip: Slip, today: Day, at: number): Slip {
  if (slip.due === null || slip.due > today) return slip;
  const step = slip.step + 1;
  const wait = INTERVALS[step];
  return { ...slip, step, due: wait === undefined ? null : shift(today, wait), at };
}

/** The names of those that are due, the longest overdue first. */
export function due(slips: Slips, today: Day): string[] {
  return Object.entries(slips)
    .filter(([, { due }]) => due !== null && due <= today)
    .sort(([one, a], [other, b]) => (a.due! < b.due! ? -1 : a.due! > b.due! ? 1 : one < other ? -1 : 1))
    .map(([name]) => name);
}

/** How many will come back later. */
export const waiting = (slips: Slips, today: Day): number =>
  Object.values(slips).filter(({ due }) => due !== null && due > today).length;

/** When the next one comes back. */
export const nextDue = (slips: Slips): Day | null =>
  Object.values(slips)
    .flatMap(({ due }) => due ?? [])
    .sort()[0] ?? null;
