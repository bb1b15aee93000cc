/** The solver on a device: what counts once, what comes back, and what the home page is told. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { forget } from "../../src/lib/storage";
import { fittingGrade, nextPuzzle } from "../../src/study/choose";
import type { Try } from "../../src/study/progress";
import type { Puzzle } from "../../src/study/puzzles";
import { Rush } from "../../src/study/rush";
import { Solver } from "../../src/study/solver.svelte";
import { keptToday } from "../../src/study/today";

const at = (date: string): void => void vi.setSystemTime(new Date(`${date}T12:00:00`));

beforeEach(() => {
  vi.useFakeTimers();
  at("2026-11-16");
  ["study", "today"].forEach((key) => forget(key));
});
afterEach(() => vi.useRealTimers());

const PUZZLE = { id: "abc", grade: 3 };

test("only the first answer counts, and a missed puzzle comes back tomorrow", () => {
  const solver = new Solver();
  const first: [string, boolean][] = [];
  solver.onfirst = ({ id }, right) => first.push([id, right]);
  solver.answer(PUZZLE, false, "2026-11-16");
  const { level } = solver.progress;
  solver.answer(PUZZLE, true, "2026-11-16");
  expect(first).toEqual([["abc", false]]);
  expect(solver.progress.level).toEqual(level);
  expect(solver.daily("2026-11-16").puzzle).toMatchObject({ right: false, solved: true });
  expect(solver.progress.tried.abc).toEqual({ on: "2026-11-16", right: false, solved: true });
  expect(solver.progress.slips.abc).toMatchObject({ step: 0, due: "2026-11-17" });
});

test("it is remembered, and other tabs are not overwritten", () => {
  const [one, other] = [new Solver(), new Solver()];
  one.answer({ id: "a", grade: 1 }, true);
  other.answer({ id: "b", grade: 1 }, true);
  one.answer({ id: "c", grade: 1 }, true);
  expect(Object.keys(new Solver().progress.tried)).toEqual(["a", "b", "c"]);
});

test("the archive does not count for the streak, today does, and it is told the home page", () => {
  const solver = new Solver();
  solver.sprint("2026-11-15", ["e4+1"], 40, 80);
  expect(solver.streak.days).toBe(0);
  solver.sprint("2026-11-16", ["e4+1"], 60, 80);
  solver.sprint("2026-11-16", ["e4+2"], 80, 80);
  expect(solver.daily("2026-11-16").sprint).toMatchObject({ points: 60, best: 80 });
  expect(keptToday("2026-11-16")).toMatchObject({ streak: 1, sprint: { points: 60, optimum: 80 }, puzzle: null });
  at("2026-11-17");
  solver.answer(PUZZLE, true, "2026-11-17");
  expect(keptToday()).toMatchObject({ day: "2026-11-17", streak: 2, sprint: null, puzzle: { right: true } });
  expect(keptToday("2026-11-19")).toMatchObject({ streak: 2, sprint: null, puzzle: null });
  expect(keptToday("2026-11-20").streak).toBe(0);
});

test("a slip that is solved when it is due goes on, and one that is missed again begins anew", () => {
  const solver = new Solver();
  const game = { board: ".", hand: [1, 2], variant: "standard", best: 20, answer: "e4+1", played: 3 } as const;
  solver.missedInGame("game:t:4", { ...game, hand: [1, 2] });
  solver.answerSlip("game:t:4", true); // too early
  expect(solver.progress.slips["game:t:4"]).toMatchObject({ step: 0, due: "2026-11-17" });
  at("2026-11-17");
  solver.answerSlip("game:t:4", true);
  expect(solver.progress.slips["game:t:4"]).toMatchObject({ step: 1, due: "2026-11-20", game: { best: 20 } });
  solver.missedInGame("game:t:4", { ...game, hand: [1, 2] }); // known already
  expect(solver.progress.slips["game:t:4"]).toMatchObject({ step: 1 });
  at("2026-11-20");
  solver.answerSlip("game:t:4", false);
  expect(solver.progress.slips["game:t:4"]).toMatchObject({ step: 0, due: "2026-11-21", game: { best: 20 } });
});

test("a rush is kept with its answers; its misses come back, and it is not rated", () => {
  const solver = new Solver();
  const first = vi.fn();
  solver.onfirst = first;
  const rush = new Rush(Date.now());
  rush.answer("a", true, Date.now());
  rush.answer("b", false, Date.now());
  solver.finishRush(rush);
  expect(new Solver().progress.rush).toEqual([{ at: rush.at, answers: rush.answers }]);
  expect(Object.keys(solver.progress.slips)).toEqual(["b"]);
  expect(first).not.toHaveBeenCalled();
});

test("the fitting grade rises with surprising successes and falls with surprising failures", () => {
  expect(fittingGrade(3, 3, true)).toBe(3.4);
  expect(fittingGrade(3, 8, true)).toBeGreaterThan(fittingGrade(3, 1, true));
  expect(fittingGrade(3, 1, false)).toBeLessThan(fittingGrade(3, 8, false));
  expect([fittingGrade(10, 10, true), fittingGrade(1, 1, false)]).toEqual([10, 1]);
});

test("the next puzzle is a new one of the nearest grade, or the one tried longest ago", () => {
  const all = [1, 3, 3, 9].map((grade, n) => ({ id: `p${n}`, grade, kind: "flip" }) as Puzzle);
  const book = { of: (_kind?: string, grade?: number) => all.filter((each) => grade === undefined || each.grade === grade) };
  const wanted = { kind: null, grade: null, level: 3.4 };
  const tried = (...ids: string[]) =>
    Object.fromEntries(ids.map((id, n): [string, Try] => [id, { on: `2026-11-0${9 - n}`, right: true, solved: true }]));
  const next = (known: Record<string, Try>, except?: string, random = 0) =>
    nextPuzzle(book, known, wanted, () => random, except)?.id;
  expect([next({}), next({}, undefined, 0.99)]).toEqual(["p1", "p2"]);
  expect(next(tried("p1", "p2"))).toBe("p0");
  expect(next(tried("p1", "p2", "p0"))).toBe("p3");
  expect(next(tried("p1", "p2", "p0", "p3"))).toBe("p3");
  expect(next(tried("p1", "p2", "p0", "p3"), "p3")).toBe("p0");
  expect(nextPuzzle(book, {}, { ...wanted, grade: 9 }, () => 0)?.id).toBe("p3");
  expect(nextPuzzle(book, {}, { ...wanted, grade: 5 }, () => 0)).toBeNull();
});
