// @vitest-environment ./tests/client-environment.ts
/** The study board: edits by tap and key, hands, undo; and the ranking that follows the position. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Refusal } from "../../src/lib/api";
import { boardOf } from "../../src/rules/board";
import { squareOf } from "../../src/rules/squares";
import { Analysis } from "../../src/study/analysis.svelte";
import { readPosition, writePosition } from "../../src/study/position";
import { StudyBoard } from "../../src/study/study_board.svelte";

const START = "........./........./....6..../........./..9.D.7../........./....4..../........./......... 0 27,35 0,0 63 standard";
const at = (name: string): number => squareOf(name)!;

function board(): StudyBoard {
  const made = new StudyBoard(() => 0);
  made.open(readPosition(START).position!, "sides");
  return made;
}

test("taps put the chosen tile, flip one of the same digit, and clear", () => {
  const study = board();
  study.choose(8);
  study.tap(at("a1"));
  study.tap(at("a1"));
  expect(study.position.cells[0]).toBe("H");
  study.choose("clear");
  study.tap(at("a1"));
  expect(study.position.cells[0]).toBe(".");
  study.choose(null);
  study.tap(at("e5"));
  expect(study.position.cells[at("e5")]).toBe("4");
  study.undo();
  expect(study.position.cells[at("e5")]).toBe("D");
});

test("keys do the same without a mouse", () => {
  const study = board();
  expect(study.key("8", at("a1"))).toBe(true);
  expect(study.position.cells[0]).toBe("8");
  study.key("8", at("a1"));
  expect(study.position.cells[0]).toBe("H");
  study.key("f", at("a1"));
  expect(study.position.cells[0]).toBe("8");
  study.key("F", at("b1"));
  study.key("5", at("b1"));
  expect(study.position.cells.slice(0, 2)).toBe("8E");
  study.key("Delete", at("a1"));
  study.key("Backspace", at("b1"));
  expect(study.position.cells).toBe(boardOf("e3+6 c5+9 e5=4 g5+7 e7+4"));
  expect(study.key("x", at("a1"))).toBe(false);
});

test("an impossible edit changes nothing and says why", () => {
  const study = board();
  for (const name of ["a1", "b1", "c1", "d1", "e1", "f1", "g1"]) study.key("9", at(name));
  const before = study.position;
  study.key("9", at("h1"));
  expect(study.fault).toEqual({ code: "too_many_of_a_digit", params: { digit: 9, count: 9 } });
  expect(study.position).toBe(before);
  study.key("Delete", at("g1"));
  expect(study.fault).toBeNull();
});

test("a chosen tile of a hand takes the next digit, and the one after it the next", () => {
  const study = board();
  study.pickSlot(1, 0);
  study.choose(1);
  study.choose(8);
  expect(study.position.hands).toEqual(["27", "18"]);
  expect(study.slot).toBeNull();
  study.pickSlot(0, 0);
  study.fillSlot("?");
  study.choose("clear");
  expect(study.position.hands[0]).toBe("?");
});

test("two digits replace both tiles of a hand, also where the first of them is sorted behind", () => {
  const study = board();
  study.pickSlot(0, 0);
  study.choose(9);
  study.choose(5);
  expect(study.position.hands[0]).toBe("59");
  expect(study.slot).toBeNull();
});

test("a text is set up, or its problems are given and nothing changes", () => {
  const study = board();
  const before = writePosition(study.position);
  expect(study.read("nonsense")).toEqual([{ code: "position_fields", params: { count: 1 } }]);
  expect(writePosition(study.position)).toBe(before);
  expect(
    study.read("1......../........./........./........./........./........./........./........./........A 1 -,3? 4,5 68 expert"),
  ).toEqual([]);
  expect(study.position.toMove).toBe(1);
  study.undo();
  expect(writePosition(study.position)).toBe(before);
});

test("a played move passes the turn; the next tiles are named or drawn", () => {
  const study = board();
  study.play("d5+2");
  expect(study.position.hands).toEqual(["7?", "35"]);
  study.play("f5+3");
  expect(study.hand).toBeNull();
  study.know(9);
  expect(study.hand).toEqual([7, 9]);
  study.takeBack();
  study.takeBack();
  study.play("d5+7");
  study.play("f5+3");
  study.draw();
  expect(study.hand).toEqual([1, 2]);
  study.goTo(0);
  study.goOn();
  expect(study.line.map(({ played }) => played?.move)).toEqual([undefined, "d5+7", "f5+3"]);
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("only the last of several quick edits is asked about, and no answer twice", async () => {
  const asked: string[] = [];
  const analysis = new Analysis<string>((position) => {
    asked.push(position);
    return Promise.resolve(`plays of ${position}`);
  });
  for (const position of ["a", "b", "c"]) analysis.about(position);
  expect(analysis.asking).toBe(true);
  await vi.runAllTimersAsync();
  expect([asked, analysis.ranking, analysis.asking]).toEqual([["c"], "plays of c", false]);
  analysis.about("d");
  await vi.runAllTimersAsync();
  analysis.about("c");
  expect([analysis.ranking, analysis.asking]).toEqual(["plays of c", false]);
  await vi.runAllTimersAsync();
  expect(asked).toEqual(["c", "d"]);
  analysis.about(null);
  expect([analysis.ranking, analysis.asking]).toEqual([null, false]);
});

test("a late answer to an earlier question is ignored, and a refusal is kept", async () => {
  const answers = new Map<string, (found: string) => void>();
  const analysis = new Analysis<string>((position) =>
    position === "mine"
      ? Promise.reject(new Refusal({ code: "own_game", params: {}, text: "No." }))
      : new Promise((done) => answers.set(position, done)),
  );
  analysis.about("slow");
  await vi.advanceTimersByTimeAsync(500);
  analysis.about("quick");
  await vi.advanceTimersByTimeAsync(500);
  answers.get("quick")!("quick");
  answers.get("slow")!("slow");
  await vi.runAllTimersAsync();
  expect(analysis.ranking).toBe("quick");
  analysis.about("mine");
  await vi.runAllTimersAsync();
  expect([analysis.refusal?.code, analysis.ranking, analysis.asking]).toEqual(["own_game", null, false]);
});
