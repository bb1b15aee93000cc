import { describe, expect, test } from "vitest";
import { FIGURES } from "../src/pages/figures";
import { boardOf, frontier, parseBoard } from "../src/rules/board";
import { parseMove, writeMove } from "../src/rules/moves";
import { explain, type Variant } from "../src/rules/scoring";
import { sumOf } from "../src/rules/series";
import { nameOf, squareOf } from "../src/rules/squares";
import { casesOf } from "./cases";

describe("the worked figures", () => {
  test.each([
    ["end", "c1+5", [8]],
    ["middle", "b1+3", [8]],
    ["front", "a1=8", [8]],
    ["behind", "c1=8", []],
    ["two", "c6+4", [13]],
    ["two", "e6=4", [14]],
    ["two", "d2+8", []],
    ["two", "f4+6", []],
    ["two", "f7=8", []],
    ["three", "e2=8", [18, 8]],
    ["three", "e6=4", [14]],
    ["three", "g4+7", [19, 15]],
    ["four", "d1+2~a1", [12]],
    ["five", "h1+7~d1", [33]],
    ["seven", "h3+7~e3", [14, 4]],
    ["eight", "h3+7~e3", [14, 4, 9]],
  ] as const)("%s, then %s", (name, move, sums) => {
    const told = explain(boardOf(FIGURES[name].tiles), parseMove(move)!);
    expect(told.refusal).toBeNull();
    expect(told.kakuros.map(sumOf).sort((a, b) => a - b)).toEqual([...sums].sort((a, b) => a - b));
  });

  test("figure 6: a flip that makes no Kakuro is refused, with the reason", () => {
    const told = explain(boardOf(FIGURES.six.tiles), parseMove("b1+5~e1")!);
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
