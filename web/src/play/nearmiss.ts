/**
 * Why a move scores nothing: its near misses on the board, each with its arithmetic, and the most instructive one in a
 * sentence.
 */

import type { Light, Note } from "../board/state";
import { writeSum } from "../lib/words";
import type { Move } from "../rules/moves";
import type { Explanation, NearMiss } from "../rules/scoring";
import { sumOf } from "../rules/series";
import { m } from "../words";

export interface WhyNothing {
  lights: Light[];
  /** The sentence at the tile, where there is no series to write it at. */
  note: Note | null;
  text: string;
}

/** The largest sum of a Kakuro: eight addends, from 2 to 9. */
const LARGEST_SUM = 44;

/** The two numbers nearest to a sum that a total stands for, the smaller first: for a sum of 8, a red 2 needs 2 or 12. */
export function nearestSums(sum: number, total: number): [number, number] {
  const numbers: number[] = [];
  for (let number = total; number <= LARGEST_SUM; number += 10) numbers.push(number);
  const [near, next] = numbers.sort((a, b) => Math.abs(a - sum) - Math.abs(b - sum));
  return near! < next! ? [near!, next!] : [next!, near!];
}

const distance = (sum: number, total: number): number => Math.min(...nearestSums(sum, total).map((each) => Math.abs(each - sum)));

/** How much there is to learn from a near miss, the least first: a sum that fits looks most like a Kakuro. */
function rank({ series, reason }: NearMiss): number {
  const off = distance(sumOf(series), series.total);
  switch (reason.code) {
    case "total_follows":
      return 0;
    case "repeated_addend":
      return off === 0 ? 0 : 20;
    case "wrong_sum":
      return off;
    default:
      return 30;
  }
}

/** The near misses of a move, the most instructive first. */
export const ranked = (misses: readonly NearMiss[]): NearMiss[] => [...misses].sort((a, b) => rank(a) - rank(b));

/** A near miss in a sentence: "5 + 3 = 8; the red 2 needs 2 or 12." */
export function sayMiss({ series, reason }: NearMiss): string {
  const { total, addends } = series;
  const sum = writeSum(series);
  switch (reason.code) {
    case "total_follows":
      return m.miss_order({ sum });
    case "repeated_addend":
      return m.miss_repeated({ sum: addends.join(" + "), digit: reason.params.digit! });
    case "wrong_sum": {
      const [low, high] = nearestSums(sumOf(series), total);
      return m.miss_sum({ sum, total, low, high });
    }
    default:
      return m.miss_alone({ total, digit: addends[0]! });
  }
}

/** The arithmetic beside a near miss that has no sentence. */
function brief({ series, reason }: NearMiss): string {
  if (reason.code === "one_addend") return "";
  return reason.code === "repeated_addend" ? series.addends.join(" + ") : writeSum(series);
}

/** Why a legal move scores nothing; null if it scores or is not legal. */
export function whyNothing({ refusal, kakuros, nearMisses }: Explanation, { square, tile }: Move): WhyNothing | null {
  if (refusal || kakuros.length) return null;
  const [first, ...others] = ranked(nearMisses);
  if (!first) {
    const text = tile.side === "=" ? m.miss_no_addends() : m.miss_no_total();
    return { lights: [], note: { square, text, tone: "calm" }, text };
  }
  const text = sayMiss(first);
  const lights: Light[] = [
    { squares: first.series.squares, text, tone: "miss", sentence: true },
    ...others.map((miss): Light => ({ squares: miss.series.squares, text: brief(miss), tone: "miss" })),
  ];
  return { lights, note: null, text };
}

/** The series that a refused flip was meant to complete, outlined. */
export const lightsOfRefusal = ({ refusal, nearMisses }: Explanation): Light[] =>
  nearMisses
    .filter(({ reason }) => JSON.stringify(reason) === JSON.stringify(refusal))
    .map(({ series }) => ({ squares: series.squares, text: "", tone: "miss" }));
