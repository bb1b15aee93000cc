/** Which puzzle comes next, and how hard puzzles should be for a solver. */

import type { Try } from "./progress";
import type { Kind, Puzzle, PuzzleBook } from "./puzzles";

export const EASIEST = 1;
export const HARDEST = 10;
/** How far one answer moves the grade that fits. */
const STEP = 0.8;
/** The difference of grades at which ten solvers fail for one who succeeds. */
const TENFOLD = 4;

/** The grade that fits after a first try at a puzzle: it rises the more, the less likely the answer was. */
export function fittingGrade(level: number, grade: number, right: boolean): number {
  const expected = 1 / (1 + 10 ** ((grade - level) / TENFOLD));
  const next = level + STEP * (Number(right) - expected);
  return Math.round(Math.min(HARDEST, Math.max(EASIEST, next)) * 100) / 100;
}

export interface Wanted {
  kind: Kind | null;
  /** Exactly this grade; null for one that fits. */
  grade: number | null;
  level: number;
}

/** A puzzle that has not been tried, of the wanted grade or the nearest one; when all have been, the one tried longest ago. */
export function nextPuzzle(
  book: Pick<PuzzleBook, "of">,
  tried: Readonly<Record<string, Try>>,
  { kind, grade, level }: Wanted,
  random: () => number,
  except?: string,
): Puzzle | null {
  const all = book.of(kind ?? undefined, grade ?? undefined).filter(({ id }) => id !== except);
  const fresh = all.filter(({ id }) => !(id in tried));
  if (!fresh.length) return all.sort((a, b) => (tried[a.id]!.on < tried[b.id]!.on ? -1 : 1))[0] ?? null;
  const distance = (puzzle: Puzzle): number => Math.abs(puzzle.grade - level);
  const nearest = Math.min(...fresh.map(distance));
  const fitting = fresh.filter((puzzle) => distance(puzzle) === nearest);
  return fitting[Math.floor(random() * fitting.length)]!;
}
