/**
 * A series is a total and the unbroken run of addends that follows it, to the right or downwards. It is a Kakuro if it
 * has at least two addends, all different, whose sum ends in the total's digit.
 */

import { digitOf, isAddend, isTotal } from "./board";
import { LINES, type Line, type Square } from "./squares";

export interface Series {
  /** The squares of the series, the total's first. */
  squares: Square[];
  total: number;
  addends: number[];
}

/** A code with its parameters, which every catalogue has a sentence for. */
export interface Reason {
  code: string;
  params: Record<string, string | number>;
}

export const sumOf = (series: Pick<Series, "addends">): number => series.addends.reduce((sum, digit) => sum + digit, 0);
export const writeSeries = (series: Series): string => `${series.total} | ${series.addends.join(" + ")}`;
export const isKakuro = (series: Series): boolean => flaw(series) === null;

/** Why a series is not a Kakuro; null if it is one. */
export function flaw(series: Series): Reason | null {
  const { addends, total } = series;
  const text = writeSeries(series);
  if (addends.length === 1) return { code: "one_addend", params: { series: text } };
  const repeated = addends.find((digit, n) => addends.indexOf(digit) < n);
  if (repeated !== undefined) return { code: "repeated_addend", params: { series: text, digit: repeated } };
  const sum = sumOf(series);
  return sum % 10 === total ? null : { code: "wrong_sum", params: { series: text, sum, total } };
}

/** The series of the total at this index of a line, or null if no addend follows it. */
export function seriesFrom(cells: string, line: Line, start: number): Series | null {
  let end = start + 1;
  while (end < line.squares.length && isAddend(cells[line.squares[end]!]!)) end += 1;
  if (end === start + 1) return null;
  const squares = line.squares.slice(start, end);
  const [total, ...addends] = squares.map((square) => digitOf(cells[square]!));
  return { squares, total: total!, addends };
}

/** Every series on a board, by its total in reading order, the one to the right first. */
export function allSeries(cells: string): Series[] {
  const found: Series[] = [];
  for (const line of LINES) {
    line.squares.forEach((square, index) => {
      const series = isTotal(cells[square]!) ? seriesFrom(cells, line, index) : null;
      if (series) found.push(series);
    });
  }
  return found.sort((a, b) => a.squares[0]! - b.squares[0]!);
}

/** Whether two series are the same tiles on the same squares. */
export const sameSeries = (a: Series, b: Series): boolean =>
  a.squares.join() === b.squares.join() && writeSeries(a) === writeSeries(b);
