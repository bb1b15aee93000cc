/**
 * Rush: as many puzzles as possible in three minutes. A miss costs ten seconds, a row of right answers wins some. Time is an
 * argument: whoever plays says when.
 */

export const RUSH_MS = 180_000;
export const MISS_MS = 10_000;
/** Right answers in a row, and the time that they win. */
export const BONUSES: readonly (readonly [inARow: number, ms: number])[] = [
  [5, 3_000],
  [12, 5_000],
  [20, 7_000],
  [30, 10_000],
];

/** One puzzle of a run. */
export interface RushAnswer {
  id: string;
  right: boolean;
}

export interface RushRun {
  /** When it began, in milliseconds; also its name. */
  at: number;
  answers: readonly RushAnswer[];
}

export const solvedIn = ({ answers }: Pick<RushRun, "answers">): number => answers.filter(({ right }) => right).length;

/** The longest row of right answers. */
export function bestRow({ answers }: Pick<RushRun, "answers">): number {
  let row = 0;
  return answers.reduce((best, { right }) => Math.max(best, (row = right ? row + 1 : 0)), 0);
}

/** The better run: more solved, then fewer misses, then the earlier one. */
export const better = (one: RushRun, other: RushRun): number =>
  solvedIn(other) - solvedIn(one) || one.answers.length - other.answers.length || one.at - other.at;

/** The grade of the next puzzle: it rises with those that have been solved. */
export const rushGrade = (solved: number): number => Math.min(10, 1 + Math.floor(solved / 4));

export class Rush implements RushRun {
  answers: RushAnswer[] = [];
  /** Right answers in a row. */
  row = 0;
  private deadline: number;

  constructor(readonly at: number) {
    this.deadline = at + RUSH_MS;
  }

  left(now: number): number {
    return Math.max(0, this.deadline - now);
  }

  isOver(now: number): boolean {
    return now >= this.deadline;
  }

  /** Count an answer; returns the time that it won or cost. After the end nothing counts. */
  answer(id: string, right: boolean, now: number): number {
    if (this.isOver(now)) return 0;
    this.answers.push({ id, right });
    this.row = right ? this.row + 1 : 0;
    const change = right ? (BONUSES.find(([inARow]) => inARow === this.row)?.[1] ?? 0) : -MISS_MS;
    this.deadline += change;
    return change;
  }
}
