/** A sprint as it is played: four placements alone, each drawing the next tile in the open. */

import { after, parseMove } from "../rules/moves";
import { explain } from "../rules/scoring";
import type { Series } from "../rules/series";
import type { Sprint } from "./puzzles";

export const SPRINT_MOVES = 4;

/** A sprint after some of its moves. */
export interface SprintState {
  cells: string;
  hand: number[];
  /** The tiles that are still to be drawn. */
  next: number[];
  points: number;
  /** Each move with its points and Kakuros. */
  turns: { move: string; points: number; kakuros: Series[] }[];
  over: boolean;
}

/** Play these moves; throws if one of them is not possible, or if they score more than is possible. */
export function stateAfter(sprint: Sprint, moves: readonly string[]): SprintState {
  let { board: cells } = sprint;
  const hand = [...sprint.hand];
  const next = [...sprint.tiles];
  const turns: SprintState["turns"] = [];
  for (const text of moves.slice(0, SPRINT_MOVES)) {
    const move = parseMove(text);
    const index = move ? hand.indexOf(move.tile.digit) : -1;
    if (!move || index < 0) throw new Error(`${text} is not a move of this hand`);
    const { refusal, points, kakuros } = explain(cells, move, sprint.variant);
    if (refusal) throw new Error(`${text} is refused: ${refusal.code}`);
    cells = after(cells, move);
    // The drawn tile takes the place of the one that was placed.
    hand.splice(index, 1, ...next.splice(0, 1));
    turns.push({ move: text, points, kakuros });
  }
  const points = turns.reduce((sum, turn) => sum + turn.points, 0);
  if (points > sprint.optimum) throw new Error(`${points} points are more than the optimum of sprint ${sprint.id}`);
  return { cells, hand, next, points, turns, over: turns.length === SPRINT_MOVES };
}

/** The longest beginning of a kept line that can be played; all of it, unless the file has changed. */
export function playable(sprint: Sprint, moves: readonly string[]): string[] {
  for (let count = moves.length; count > 0; count -= 1) {
    try {
      stateAfter(sprint, moves.slice(0, count));
      return moves.slice(0, count);
    } catch {
      // One move fewer, then.
    }
  }
  return [];
}
