/**
 * The worked figures of the rules: positions and the moves to look at. The documentation draws the same ones as pictures;
 * generated cases hold both equal.
 */

import figures from "../../../docs/figures.json";
import type { BoardState, Light } from "../board/state";
import { writeSum } from "../lib/words";
import { boardOf } from "../rules/board";
import type { Move } from "../rules/moves";
import { explain, type Explanation } from "../rules/scoring";

export interface Figure {
  tiles: string;
  moves: string[];
  columns: number;
  rows: number;
}

export const FIGURES: Record<keyof typeof figures, Figure> = figures;

/** What a figure shows: its board, or one of its moves on it. */
export function shownBy(figure: Figure, move: Move | null): BoardState {
  const cells = boardOf(figure.tiles);
  return {
    cells,
    stones: [],
    tentative: move && { square: move.square, tile: move.tile, flips: move.flips },
    lights: move ? lightsOf(explain(cells, move), figure.rows > 1) : [],
  };
}

/** The Kakuros of a move, or else what it misses. Above a single row there is no room for sums. */
function lightsOf({ kakuros, nearMisses }: Explanation, withSums: boolean): Light[] {
  if (!kakuros.length) return nearMisses.map(({ series }) => ({ squares: series.squares, text: "", tone: "miss" }));
  return kakuros.map((series) => ({ squares: series.squares, text: withSums ? writeSum(series) : "", tone: "made" }));
}
