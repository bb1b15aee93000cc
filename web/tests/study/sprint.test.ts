/** Sprints of the shipped file: the best line scores the optimum, and nothing scores more. */

import { expect, test } from "vitest";
import text from "../../../src/riverstones/study/puzzles/puzzles.txt?raw";
import { frontier, isEmpty } from "../../src/rules/board";
import { writeMove, type Move } from "../../src/rules/moves";
import { flipRefusal, kakurosMade } from "../../src/rules/scoring";
import { sumOf } from "../../src/rules/series";
import { linesOf } from "../../src/rules/squares";
import { readBook } from "../../src/study/puzzle_file";
import type { Sprint } from "../../src/study/puzzles";
import { playable, SPRINT_MOVES, stateAfter, type SprintState } from "../../src/study/sprint";
import { isGem, starsFor } from "../../src/study/stars";

const { sprints } = readBook(text);

/** The play with the most points, among those with at most one flip. */
function greedy({ cells, hand }: SprintState, { variant }: Sprint): string {
  let best = { move: "", points: -1 };
  for (const square of frontier(cells)) {
    const near = linesOf(square).flatMap(({ squares }) => squares.filter((each) => !isEmpty(cells[each]!)));
    for (const digit of new Set(hand)) {
      for (const side of ["+", "="] as const) {
        for (const flips of [[], ...near.map((tile) => [tile])]) {
          const move: Move = { square, tile: { digit, side }, flips };
          if (flipRefusal(cells, move, variant)) continue;
          const points = kakurosMade(cells, move).reduce((sum, kakuro) => sum + sumOf(kakuro), 0);
          if (points > best.points) best = { move: writeMove(move), points };
        }
      }
    }
  }
  return best.move;
}

test("every line of the file scores its optimum: a gem", () => {
  for (const sprint of sprints) {
    const state = stateAfter(sprint, sprint.line);
    expect([state.points, state.over, state.next]).toEqual([sprint.optimum, true, []]);
    expect(isGem(state.points, sprint.optimum)).toBe(true);
  }
});

test("greed does not beat the optimum", () => {
  for (const sprint of sprints.slice(0, 4)) {
    const line: string[] = [];
    while (line.length < SPRINT_MOVES) line.push(greedy(stateAfter(sprint, line), sprint));
    expect(stateAfter(sprint, line).points).toBeLessThanOrEqual(sprint.optimum);
  }
});

test("an entry that exceeded the optimum would not be accepted", () => {
  const [sprint] = sprints;
  expect(() => stateAfter({ ...sprint!, optimum: sprint!.optimum - 1 }, sprint!.line)).toThrow("more than the optimum");
});

test("a move that is not possible is refused, and a kept line is cut before it", () => {
  const [sprint] = sprints;
  const [first, second] = sprint!.line;
  expect(() => stateAfter(sprint!, [first!, first!])).toThrow();
  expect(() => stateAfter(sprint!, ["nonsense"])).toThrow();
  expect(playable(sprint!, [first!, second!, "a1+1~a1"])).toEqual([first, second]);
  expect(playable(sprint!, ["nonsense"])).toEqual([]);
});

test("each placement draws the next tile in its place", () => {
  const [sprint] = sprints;
  const { hand, next, turns } = stateAfter(sprint!, sprint!.line.slice(0, 1));
  expect([...hand].sort()).toEqual(
    [...sprint!.hand.filter((_, n) => n !== sprint!.hand.indexOf(Number(turns[0]!.move[3]))), sprint!.tiles[0]!].sort(),
  );
  expect(next).toEqual(sprint!.tiles.slice(1));
});

test("stars at 50, 75 and 90 %, a gem for everything", () => {
  expect([36, 37, 54, 55, 65, 66, 72, 73].map((points) => starsFor(points, 73))).toEqual([0, 1, 1, 2, 2, 3, 3, 4]);
});
