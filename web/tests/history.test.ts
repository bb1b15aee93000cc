import { expect, test } from "vitest";
import { breakableKakuro } from "../src/lib/words";
import { boardOf } from "../src/rules/board";
import { after, before, parseMove } from "../src/rules/moves";
import { boardAfter, lightsOf, markOf, scoreLines } from "../src/play/history";

const START = boardOf("e3+6 c5+9 e5=4 g5+7 e7+4");
const turn = (seat: number, move: string, points = 0, upheld?: boolean) => ({
  seat,
  move,
  points,
  kakuros: [{ squares: ["e5", "e6", "e7"], total: 4, addends: [1, 3], sum: 4, points: 4 }],
  objections: upheld === undefined ? [] : [{ seat: 1 - seat, upheld }],
});

test("a move can be undone", () => {
  const move = parseMove("e4+3~e5~c5")!;
  expect(before(after(START, move), move)).toBe(START);
});

test("every board of a game is found from its last", () => {
  const turns = [turn(0, "e4+7~e5"), turn(1, "e6=2~e4~e5", 12), turn(0, "d5+1~e5", 9, true), turn(1, "c4+8~c5", 5, false)];
  const stand = ["e4+7~e5", "e6=2~e4~e5", "d5+1", "c4+8~c5"]; // the objection to the third move was upheld
  const boards = stand.reduce((all, move) => [...all, after(all.at(-1)!, parseMove(move)!)], [START]);
  boards.forEach((board, at) => expect(boardAfter(at, turns, boards.at(-1)!), `after ${at}`).toBe(board));
});

test("flips undone by an upheld objection are neither marked nor lit", () => {
  expect(markOf(turn(0, "d5+1~e5", 0, true)).flips).toEqual([]);
  expect(lightsOf(turn(0, "d5+1~e5", 0, true))).toEqual([]);
  expect(markOf(turn(0, "d5+1~e5", 0, false)).flips).toHaveLength(1);
  expect(lightsOf(turn(0, "d5+1~e5"))).toHaveLength(1);
});

test("scores grow turn by turn", () => {
  expect(scoreLines([turn(0, "a1+1", 5), turn(1, "a1+1", 7), turn(0, "a1+1", 6)], 2)).toEqual([
    [0, 5, 5, 11],
    [0, 0, 7, 7],
  ]);
});

test("a sum breaks only before a sign", () => {
  const text = breakableKakuro({ total: 3, addends: [9, 1, 3] });
  expect(text.split(" ")).toEqual(["3\u00a0|\u00a09", "+\u00a01", "+\u00a03", "=\u00a013"]);
});
