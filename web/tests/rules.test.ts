import { describe, expect, test } from "vitest";
import { boardOf, frontier, parseBoard } from "../src/rules/board";
import { parseMove, writeMove } from "../src/rules/moves";
import { explain, type Variant } from "../src/rules/scoring";
import { sumOf } from "../src/rules/series";
import { nameOf, squareOf } from "../src/rules/squares";
import { casesOf } from "./cases";

const FIGURE_2 = "a2=9 b2+8 c2+3 c4=3 c5+9 d4=5 e4+2 e5=6 f5+7 f6+1 g6+5 h6+8";
const FIGURE_3 = "g1=9 f2+6 g2+3 h2+9 e3+6 g3+9 d4=5 e4+2 f4+6 e5=6 f5+7 f6+1 g6+5 h6+8 e7+4 f7=8";
const FIGURE_7 = "a3=1 b3+8 c3+2 d3+1 e3+4 f3+5 g3+2 e4+3 e5+1";

describe("the worked figures", () => {
  test.each([
    ["a1=8 b1+3", "c1+5", [8]],
    ["a1=8 c1+5", "b1+3", [8]],
    ["b1+3 c1+5", "a1=8", [8]],
    ["a1+7 b1+1", "c1=8", []],
    [FIGURE_2, "c6+4", [13]],
    [FIGURE_2, "e6=4", [14]],
    [FIGURE_2, "d2+8", []],
    [FIGURE_2, "f4+6", []],
    [FIGURE_2, "f7=8", []],
    [FIGURE_3, "e2=8", [18, 8]],
    [FIGURE_3, "e6=4", [14]],
    [FIGURE_3, "g4+7", [19, 15]],
    ["a1+2 b1+6 c1+4", "d1+2~a1", [12]],
    ["a1=3 b1+9 c1+3 d1=2 e1+5 f1+1 g1+6", "h1+7~d1", [33]],
    [FIGURE_7, "h3+7~e3", [14, 4]],
    [`${FIGURE_7} h1=9 h2+2`, "h3+7~e3", [14, 4, 9]],
  ])("%s, then %s", (tiles, move, sums) => {
    const told = explain(boardOf(tiles), parseMove(move)!);
    expect(told.refusal).toBeNull();
    expect(told.kakuros.map(sumOf).sort((a, b) => a - b)).toEqual([...sums].sort((a, b) => a - b));
  });

  test("figure 6: a flip that makes no Kakuro is refused, with the reason", () => {
    const told = explain(boardOf("a1=2 c1+1 d1+6 e1+5"), parseMove("b1+5~e1")!);
    expect(told.refusal).toEqual({ code: "stopped_by_flipped", params: { square: "e1" } });
  });
});

interface Case {
  board: string;
  move: string;
  variant: Variant;
  frontier: string[];
  refusal: unknown;
  kakuros: unknown[];
  nearMisses: unknown[];
  points: number;
}
const cases = casesOf<Case>("rules");

test(`the browser's rules say what the Python rules say, on ${cases.length} moves`, () => {
  for (const { board, move, variant, frontier: free, ...expected } of cases) {
    const cells = parseBoard(board)!;
    expect(frontier(cells), board).toEqual(free);
    expect(explain(cells, parseMove(move)!, variant), `${board} ${move}`).toEqual(expected);
  }
});

test("squares and moves are read and written alike", () => {
  expect(nameOf(squareOf("e5")!)).toBe("e5");
  expect(squareOf("j1")).toBeNull();
  expect(writeMove(parseMove("h3+7~e3~a3")!)).toBe("h3+7~a3~e3");
  expect(parseMove("h3+7~e3~e3")).toBeNull();
  expect(parseMove("h3*7")).toBeNull();
});
