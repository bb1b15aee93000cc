// @vitest-environment ./tests/client-environment.ts
/** The slips of a game: by points at first, and by what the moves cost once the game has been reviewed. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { forget } from "../../src/lib/storage";
import { rememberReview, slipsOfReport } from "../../src/study/game_slips";
import type { Report, ReportMove } from "../../src/study/report";
import type { GameSlip } from "../../src/study/slips";
import { solver } from "../../src/study/solver.svelte";

const POSITION =
  "3351A4753/7331D1.../....6..../....H..../.E726IG25/....D..../....H..../....6..../....2.... 0 79,?? 88,46 39 standard";

const move = (number: number, points: number, best: ReportMove["best"], loss: number): ReportMove => ({
  number,
  seat: 0,
  position: POSITION,
  move: "e6+2",
  points,
  best,
  loss,
  counted: true,
  class: "mistake",
  chances: [0.5, 0.5],
  facts: [],
});

const REPORT: Report = {
  start: [0.5, 0.5],
  result: [1, 0],
  seats: [
    { name: "Ann", accuracy: 70, counted: 3, mattered: [5, 1, 3], luck: [0, 0], slips: [0, 0], rest: [0, 0] },
    { name: "Bo", accuracy: 70, counted: 3, mattered: [], luck: [0, 0], slips: [0, 0], rest: [0, 0] },
  ],
  moves: [
    move(1, 0, { move: "e6+5", points: 11 }, 12),
    move(3, 4, { move: "e4+5", points: 4 }, 9),
    move(5, 2, { move: "e4+2", points: 6 }, 15),
  ],
};
const MOST = [11, 0, 4, 0, 20];

const BY_POINTS: GameSlip = { board: "", hand: [2, 5], variant: "standard", best: 11, answer: "e6+5", played: 0 };

const slips = () => solver.progress.slips;

const at = (date: string): void => void vi.setSystemTime(new Date(`${date}T12:00:00`));

beforeEach(() => {
  vi.useFakeTimers();
  at("2026-11-16");
  forget("study");
  solver.progress = { ...solver.progress, slips: {} };
});
afterEach(() => vi.useRealTimers());

test("the turns that mattered become slips, the costliest first", () => {
  const found = slipsOfReport("t", 0, REPORT, MOST);
  expect(found.map(([name, { loss }]) => [name, loss])).toEqual([
    ["game:t:4", 15],
    ["game:t:0", 12],
    ["game:t:2", 9],
  ]);
  expect(found[1]![1]).toMatchObject({ hand: [7, 9], variant: "standard", best: 11, answer: "e6+5", played: 0 });
  expect(found[1]![1].board).toHaveLength(81);
});

test("if points do not decide, only the best move of the review solves it", () => {
  const further = slipsOfReport("t", 0, REPORT, MOST).map(([, slip]) => slip.further ?? false);
  expect(further, "less than possible, most points, as many points").toEqual([true, false, true]);
});

test("a review replaces the slips that were found by points", () => {
  solver.missedInGame("game:t:0", BY_POINTS);
  solver.missedInGame("game:t:6", BY_POINTS);
  solver.missedInGame("game:other:0", BY_POINTS);
  at("2026-11-17");
  rememberReview("t", 0, REPORT, MOST);
  expect(slips()["game:t:0"]).toMatchObject({ due: "2026-11-17", game: { loss: 12 } });
  expect(slips()["game:t:4"]).toMatchObject({ due: "2026-11-18", game: { loss: 15, further: true } });
  expect(slips()["game:t:6"]!.due).toBeNull();
  expect(slips()["game:other:0"]!.due).toBe("2026-11-17");
});

test("a second look at the review changes nothing, and neither does one after practice", () => {
  solver.missedInGame("game:t:6", BY_POINTS);
  at("2026-11-17");
  solver.answerSlip("game:t:6", true);
  at("2026-11-18");
  rememberReview("t", 0, REPORT, MOST);
  const before = slips();
  expect(before["game:t:6"]).toMatchObject({ step: 1, due: "2026-11-20" });
  at("2026-11-19");
  rememberReview("t", 0, REPORT, MOST);
  expect(slips()).toEqual(before);
});
