/** Rush: three minutes, what a miss costs and what a row of right answers wins. */

import { expect, test } from "vitest";
import { bestRow, better, Rush, rushGrade, solvedIn } from "../../src/study/rush";

const START = 1_000_000;

function answered(marks: string, everyMs = 1_000): Rush {
  const rush = new Rush(START);
  [...marks].forEach((mark, n) => rush.answer(`p${n}`, mark === "+", START + (n + 1) * everyMs));
  return rush;
}

test("three minutes, to the millisecond", () => {
  const rush = new Rush(START);
  expect(rush.left(START)).toBe(180_000);
  expect([rush.isOver(START + 179_999), rush.isOver(START + 180_000)]).toEqual([false, true]);
  expect(rush.left(START + 200_000)).toBe(0);
});

test("a miss costs ten seconds", () => {
  const rush = new Rush(START);
  expect(rush.answer("a", false, START)).toBe(-10_000);
  expect(rush.left(START)).toBe(170_000);
});

test("5, 12, 20 and 30 in a row win 3, 5, 7 and 10 seconds, each once", () => {
  const rush = new Rush(START);
  const won = Array.from({ length: 45 }, (_, n) => rush.answer(`p${n}`, true, START));
  expect(won.flatMap((ms, n) => (ms ? [[n + 1, ms]] : []))).toEqual([
    [5, 3_000],
    [12, 5_000],
    [20, 7_000],
    [30, 10_000],
  ]);
  expect(rush.left(START)).toBe(180_000 + 25_000);
});

test("a miss ends the row, and a new one wins again", () => {
  const rush = answered("++++-+++++");
  expect(rush.left(START)).toBe(180_000 - 10_000 + 3_000);
  expect([solvedIn(rush), bestRow(rush), rush.row]).toEqual([9, 5, 5]);
});

test("an answer after the end does not count, also when misses have brought the end nearer", () => {
  const rush = new Rush(START);
  for (let n = 0; n < 17; n += 1) rush.answer(`p${n}`, false, START);
  expect(rush.left(START)).toBe(10_000);
  expect(rush.answer("late", true, START + 10_000)).toBe(0);
  expect(rush.answers).toHaveLength(17);
});

test("grades rise with what is solved", () => {
  expect([0, 3, 4, 35, 36, 80].map(rushGrade)).toEqual([1, 1, 2, 9, 10, 10]);
});

test("of two runs with as many solved, the one with fewer misses is better", () => {
  const runs = ["++-", "++", "+", "+++--"].map((marks) => answered(marks));
  expect(runs.sort(better).map(({ answers }) => answers.map(({ right }) => (right ? "+" : "-")).join(""))).toEqual([
    "+++--",
    "++",
    "++-",
    "+",
  ]);
});
