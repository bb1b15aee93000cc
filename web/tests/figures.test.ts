import { expect, test } from "vitest";
import { FIGURES, shownBy } from "../src/pages/figures";
import { tileAt } from "../src/rules/board";
import { after, changed, parseMove } from "../src/rules/moves";
import { SQUARES, nameOf } from "../src/rules/squares";
import { casesOf } from "./cases";

/** A move of a figure as the documentation draws it. */
interface Case {
  figure: keyof typeof FIGURES;
  move: string;
  tiles: Record<string, string>;
  made: string[][];
  missed: string[][];
  changed: string[];
  sums: string[];
}
const CASES = casesOf<Case>("figure");

test("the documentation draws every move of every figure", () => {
  const moves = Object.entries(FIGURES).flatMap(([name, figure]) => figure.moves.map((move) => `${name} ${move}`));
  expect(CASES.map(({ figure, move }) => `${figure} ${move}`)).toEqual(moves);
});

test.each(CASES)("the rules page shows $move of figure $figure as the documentation does", (drawn) => {
  const figure = FIGURES[drawn.figure];
  const move = parseMove(drawn.move)!;
  const { cells, lights = [], tentative } = shownBy(figure, move);
  const board = after(cells, move);
  const tiles = SQUARES.flatMap((square) => {
    const tile = tileAt(board, square);
    return tile ? [[nameOf(square), `${tile.side}${tile.digit}`]] : [];
  });
  expect(Object.fromEntries(tiles)).toEqual(drawn.tiles);
  const lit = (tone: string) => lights.flatMap((light) => (light.tone === tone ? [light.squares.map(nameOf).sort()] : []));
  expect(lit("made").sort()).toEqual(drawn.made);
  expect(lit("miss").sort()).toEqual(drawn.missed);
  expect(changed(move).map(nameOf).sort()).toEqual(drawn.changed);
  expect(tentative).toMatchObject({ square: move.square, flips: move.flips });
  if (figure.rows > 1) expect(lights.flatMap(({ text }) => text || []).sort()).toEqual(drawn.sums);
});
