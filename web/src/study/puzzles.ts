/** Puzzles and sprints, as the pages know them, and the book that holds those of the shipped file. */

import type { Variant } from "../rules/scoring";
import puzzleFile from "../../../src/riverstones/study/puzzles/puzzles.txt?url";
import type { CalendarDate } from "./daily";
import { readBook } from "./puzzle_file";

export const KINDS = ["most_points", "flip", "two_kakuros", "look_further", "win", "three_kakuros", "spot_the_error"] as const;
export type Kind = (typeof KINDS)[number];

/** A move with its points: those it scores, or those claimed for it. */
export interface Scored {
  move: string;
  points: number;
}

export interface Puzzle {
  /** Short and stable: it follows from the puzzle, not from its grade or its place in the file. */
  id: string;
  kind: Kind;
  /** 1 (the easiest) to 10. */
  grade: number;
  variant: Variant;
  /** 81 characters, as in rules/board. */
  board: string;
  /** One's own two tiles, ascending. */
  hand: number[];
  /** `win`: the opponent's tiles, which are open. */
  others: number[] | null;
  /** `win`: my score and theirs. */
  scores: [number, number] | null;
  /** The points of `answer`; for `spot_the_error` what the claimed move really scores, 0 if it is not legal. */
  best: number;
  /** A right answer, as a move; for `spot_the_error` the claimed move. */
  answer: string;
  /** `look_further` and `win`: every right answer. Null: every legal move that scores `best` is right. */
  answers: string[] | null;
  /** The runner-up. */
  nextBest: Scored | null;
  /** `spot_the_error`: the move and the points claimed for it. It is right if the points are `best`. */
  claim: Scored | null;
}

/** A position in which one places four tiles alone, knowing which tiles are drawn, for the most points. */
export interface Sprint {
  id: string;
  variant: Variant;
  board: string;
  hand: number[];
  /** The digits drawn after the first, second and third move. */
  tiles: number[];
  /** The most points that four moves can score; proven by exhaustive search when the file was made. */
  optimum: number;
  /** Four moves that score them. */
  line: string[];
}

export interface PuzzleBook {
  puzzles: Puzzle[];
  sprints: Sprint[];
  byId(id: string): Puzzle | undefined;
  /** The puzzles of a kind and a grade; whatever is left out stands for all. */
  of(kind?: Kind, grade?: number): Puzzle[];
  daily(date: CalendarDate): { puzzle: Puzzle; sprint: Sprint };
}

/** Whether the claimed points of `spot_the_error` are what the move scores. */
export const claimIsRight = (puzzle: Puzzle): boolean => puzzle.claim?.points === puzzle.best;

let loading: Promise<PuzzleBook> | null = null;

/** The shipped puzzles; they are fetched once. A failed attempt may be repeated. */
export function loadPuzzles(): Promise<PuzzleBook> {
  loading ??= fetchBook().catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
}

async function fetchBook(): Promise<PuzzleBook> {
  const answer = await fetch(puzzleFile);
  if (!answer.ok) throw new Error(`${puzzleFile}: ${answer.status}`);
  return readBook(await answer.text());
}
