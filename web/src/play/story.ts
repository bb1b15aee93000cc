/** The story of a game in two facts: its biggest move, and when the lead changed hands for the last time. */

import type { Turn } from "../protocol/messages";
import { scoreLines } from "./history";

export interface Story {
  /** The turn that scored most, the first of several; null if none scored. */
  swing: { turn: number; seat: number; points: number } | null;
  /** The turn that gave the final leader the lead, alone and to the end; null if the game ended level. */
  lead: { turn: number; seat: number } | null;
}

export function storyOf(turns: readonly Pick<Turn, "seat" | "points">[], seats: number): Story {
  const lines = scoreLines(turns, seats);
  /** The seat that led alone after so many turns; null if none did. */
  const leader = (after: number): number | null => {
    const scores = lines.map((line) => line[after]!);
    const highest = Math.max(...scores);
    const first = scores.indexOf(highest);
    return scores.lastIndexOf(highest) === first ? first : null;
  };
  const most = Math.max(0, ...turns.map(({ points }) => points));
  const biggest = turns.findIndex(({ points }) => points === most);
  const seat = leader(turns.length);
  let since = turns.length;
  while (since > 0 && leader(since - 1) === seat) since -= 1;
  return {
    swing: most > 0 ? { turn: biggest + 1, seat: turns[biggest]!.seat, points: most } : null,
    lead: seat === null ? null : { turn: since, seat },
  };
}
