/** What a move may do and what it scores, with the reasons. The Python rules are the authority; a test holds this to them. */

import { digitOf, isAddend, isEmpty, isTotal, touches } from "./board";
import { after, changed, type Move } from "./moves";
import { allSeries, flaw, isKakuro, sameSeries, seriesFrom, sumOf, type Reason, type Series } from "./series";
import { SIZE, linesOf, nameOf, type Line, type Square } from "./squares";

export type Variant = "standard" | "expert";
export interface NearMiss {
  series: Series;
  reason: Reason;
}
export interface Explanation {
  refusal: Reason | null;
  kakuros: Series[];
  nearMisses: NearMiss[];
  points: number;
}

const reason = (code: string, params: Reason["params"]): Reason => ({ code, params });

/** Judge a move and account for every series that it has to do with. */
export function explain(cells: string, move: Move, variant: Variant = "standard"): Explanation {
  const impossible = handRefusal(cells, move);
  if (impossible) return { refusal: impossible, kakuros: [], nearMisses: [], points: 0 };
  const refusal = flipRefusal(cells, move, variant);
  const kakuros = refusal ? [] : kakurosMade(cells, move);
  const points = kakuros.reduce((sum, kakuro) => sum + sumOf(kakuro), 0);
  return { refusal, kakuros, nearMisses: nearMisses(cells, move), points };
}

/** Why a move cannot even be carried out by hand. */
function handRefusal(cells: string, move: Move): Reason | null {
  const square = nameOf(move.square);
  if (!isEmpty(cells[move.square]!)) return reason("square_taken", { square });
  if (!touches(cells, move.square)) return reason("not_adjacent", { square });
  for (const flip of move.flips) {
    if (flip === move.square) return reason("flip_placed", { square: nameOf(flip) });
    if (isEmpty(cells[flip]!)) return reason("flip_empty", { square: nameOf(flip) });
  }
  return null;
}

/** Why no single Kakuro contains the placed tile and every flipped tile; null if one does or nothing is flipped. */
export function flipRefusal(cells: string, move: Move, variant: Variant): Reason | null {
  const { flips, square } = move;
  if (!flips.length) return null;
  if (variant === "standard" && flips.length > 1) return reason("too_many_flips", { count: flips.length });
  const lines = linesOf(square);
  const line = lines.find(({ squares }) => flips.every((flip) => squares.includes(flip)));
  if (line) return lineRefusal(after(cells, move), line, move);
  const alone = flips.find((flip) => !lines.some(({ squares }) => squares.includes(flip)));
  return reason("no_shared_line", { square: nameOf(square), flip: nameOf(alone ?? flips.at(-1)!) });
}

/** Find the series that the changed tiles of one line should form together, and say what is wrong with it. */
function lineRefusal(cells: string, line: Line, move: Move): Reason | null {
  const cell = (index: number) => cells[line.squares[index]!]!;
  const name = (index: number) => nameOf(line.squares[index]!);
  const indices = changed(move)
    .map((square) => line.squares.indexOf(square))
    .sort((a, b) => a - b);
  const first = indices[0]!;
  const last = indices.at(-1)!;
  for (let index = first; index < last; index += 1) {
    if (isEmpty(cell(index))) return reason("gap", { square: name(index) });
  }
  const totals = indices.filter((index) => isTotal(cell(index)));
  if (totals.length > 1) return reason("two_totals", { square: name(totals[0]!), other: name(totals[1]!) });
  if (totals.length && totals[0]! > first) {
    const code = line.squares[totals[0]!] === move.square ? "total_follows" : "stopped_by_flipped";
    return reason(code, { square: name(totals[0]!) });
  }
  for (let index = first + 1; index < last; index += 1) {
    if (isTotal(cell(index))) return reason("stopped_by_total", { square: name(index) });
  }
  let start = last;
  while (start >= 0 && isAddend(cell(start))) start -= 1;
  const series = start < 0 || isEmpty(cell(start)) ? null : seriesFrom(cells, line, start);
  if (!series) return reason("no_total", { square: name(start + 1) });
  return flaw(series);
}

const turnedToTotal = (cells: string, move: Move): Square[] => move.flips.filter((flip) => isAddend(cells[flip]!));
const touchesMove = (series: Series, move: Move): boolean => changed(move).some((square) => series.squares.includes(square));

/** The square behind a series' last addend; null at the edge. */
function squareBehind(series: Series): Square | null {
  const last = series.squares.at(-1)!;
  const step = series.squares[1]! - series.squares[0]!;
  const atEdge = step === 1 ? last % SIZE === SIZE - 1 : last >= SIZE * (SIZE - 1);
  return atEdge ? null : last + step;
}

/** The Kakuros that a move scores: those with a tile that it placed or flipped, unless a tile that it flipped stops them. */
export function kakurosMade(cells: string, move: Move): Series[] {
  const stoppers = turnedToTotal(cells, move);
  return allSeries(after(cells, move)).filter(
    (series) => touchesMove(series, move) && isKakuro(series) && !stoppers.includes(squareBehind(series) ?? -1),
  );
}

/** The series that end up different because of a move without becoming Kakuros that score. */
function nearMisses(cells: string, move: Move): NearMiss[] {
  const next = after(cells, move);
  const stoppers = turnedToTotal(cells, move);
  const old = allSeries(cells).filter(isKakuro);
  const misses: NearMiss[] = [];
  for (const series of allSeries(next)) {
    const stop = squareBehind(series) ?? -1;
    const fault = flaw(series);
    if (stoppers.includes(stop) && !fault && !old.some((known) => sameSeries(known, series))) {
      misses.push({ series, reason: reason("stopped_by_flipped", { square: nameOf(stop) }) });
    } else if (fault && touchesMove(series, move)) {
      misses.push({ series, reason: fault });
    }
  }
  return [...misses, ...totalsBehindTheirAddends(next, move)];
}

/** Totals that the move laid behind addends which sum to them: the total has to come first. */
function totalsBehindTheirAddends(cells: string, move: Move): NearMiss[] {
  const misses: NearMiss[] = [];
  for (const square of changed(move).filter((each) => isTotal(cells[each]!))) {
    for (const { squares } of linesOf(square)) {
      const index = squares.indexOf(square);
      let start = index;
      while (start > 0 && isAddend(cells[squares[start - 1]!]!)) start -= 1;
      const run = squares.slice(start, index);
      const addends = run.map((each) => digitOf(cells[each]!));
      const series = { squares: [square, ...run], total: digitOf(cells[square]!), addends };
      if (addends.length && isKakuro(series)) {
        misses.push({ series, reason: reason("total_follows", { square: nameOf(square) }) });
      }
    }
  }
  return misses;
}
