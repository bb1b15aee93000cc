/** The boards and scores after each turn of a game, and what each turn changed. */

import type { Light, Mark } from "../board/state";
import { squaresOf, writeSum } from "../lib/words";
import { before, parseMove, type Move } from "../rules/moves";
import type { Turn } from "../protocol/messages";

export const wasUpheld = ({ objections }: Pick<Turn, "objections">): boolean => objections.some(({ upheld }) => upheld);

/** The move as it stands: an upheld objection has undone its flips. */
export function standing(turn: Pick<Turn, "move" | "objections">): Move {
  const move = parseMove(turn.move)!;
  return wasUpheld(turn) ? { ...move, flips: [] } : move;
}

/** The board after so many turns, unwound from the board that all of them led to. */
export const boardAfter = (at: number, turns: readonly Pick<Turn, "move" | "objections">[], cells: string): string =>
  turns.slice(at).reduceRight((board, turn) => before(board, standing(turn)), cells);

/** The score of each seat over the turns, from before the first to after the last. */
export function scoreLines(turns: readonly Pick<Turn, "seat" | "points">[], seats: number): number[][] {
  return Array.from({ length: seats }, (_, seat) => {
    let score = 0;
    return [0, ...turns.map((turn) => (score += turn.seat === seat ? turn.points : 0))];
  });
}

/** The squares of a turn, to be marked. */
export const markOf = (turn: Pick<Turn, "move" | "objections">): Mark => standing(turn);

/** The Kakuros of a turn that count, lit. */
export const lightsOf = (turn: Pick<Turn, "kakuros" | "objections">): Light[] =>
  wasUpheld(turn)
    ? []
    : (turn.kakuros ?? []).map((kakuro) => ({ squares: squaresOf(kakuro.squares), text: writeSum(kakuro), tone: "made" }));
