/** Answering puzzles of the shipped file: every right answer is accepted, and a wrong one is told its worth. */

import { beforeEach, describe, expect, test, vi } from "vitest";
import text from "../../../src/riverstones/study/puzzles/puzzles.txt?raw";
import { parseMove, writeMove } from "../../src/rules/moves";
import { explain } from "../../src/rules/scoring";
import { useLocale } from "../../src/words/locale";
import { readBook } from "../../src/study/puzzle_file";
import { claimIsRight, type Kind, type Puzzle } from "../../src/study/puzzles";

/** The page's settings need a browser; here moves are played by a call. */
vi.mock("../../src/lib/settings.svelte", () => ({ settings: { confirm: true, sound: false, locale: "en" } }));
const { Attempt, isAnswer } = await import("../../src/study/attempt.svelte");

const book = readBook(text);
const first = (kind: Kind): Puzzle => book.of(kind)[0]!;
beforeEach(() => useLocale(() => "en"));

/** An attempt, and the answers that it has reported. */
function begun(puzzle: Puzzle) {
  const told: boolean[] = [];
  return { attempt: new Attempt(puzzle, (right) => told.push(right)), told };
}

function play(attempt: InstanceType<typeof Attempt>, move: string): void {
  attempt.practice.lay(move);
  attempt.practice.play();
}

test("the answer of every puzzle is right, and its runner-up is not", () => {
  for (const puzzle of book.puzzles.filter(({ claim }) => !claim)) {
    const points = (text: string) => explain(puzzle.board, parseMove(text)!, puzzle.variant).points;
    expect(isAnswer(puzzle, parseMove(puzzle.answer)!, points(puzzle.answer))).toBe(true);
    for (const answer of puzzle.answers ?? []) expect(isAnswer(puzzle, parseMove(answer)!, points(answer))).toBe(true);
    const { nextBest } = puzzle;
    if (nextBest) expect(isAnswer(puzzle, parseMove(nextBest.move)!, nextBest.points)).toBe(false);
  }
});

test("every move of equal points is a right answer, unless the answers are listed", () => {
  const { board, hand, variant, best, answer } = first("most_points");
  const other = { ...parseMove(answer)!, square: 0 };
  expect(isAnswer({ answers: null, best }, other, best)).toBe(true);
  expect(isAnswer({ answers: [answer], best }, other, best)).toBe(false);
  expect(explain(board, parseMove(answer)!, variant).points).toBe(best);
  expect(hand).toContain(parseMove(answer)!.tile.digit);
});

test.each(["most_points", "flip", "two_kakuros", "look_further", "win", "three_kakuros"] as const)(
  "%s is solved by its answer",
  (kind) => {
    const puzzle = first(kind);
    const { attempt, told } = begun(puzzle);
    play(attempt, puzzle.answer);
    expect([attempt.outcome, attempt.atOnce, attempt.found, told]).toEqual(["solved", true, puzzle.answer, [true]]);
  },
);

describe("a wrong answer", () => {
  const puzzle = first("most_points");
  const worse = puzzle.nextBest!;

  test("is told by what it is worth, and can be followed by others", () => {
    const { attempt, told } = begun(puzzle);
    play(attempt, worse.move);
    expect(attempt.verdict).toBe(`${worse.points} points; there are ${puzzle.best}.`);
    useLocale(() => "nl");
    expect(begun(puzzle).attempt.verdict).toBe("");
    expect(attempt.verdict).toContain(`${puzzle.best}`);
    expect(attempt.verdict).not.toContain("there are");
    play(attempt, puzzle.answer);
    expect([attempt.outcome, attempt.atOnce, told]).toEqual(["solved", false, [false, true]]);
  });

  test("of the other kinds does not speak of points alone", () => {
    const further = book.of("look_further").find(({ nextBest }) => nextBest)!;
    const { attempt } = begun(further);
    play(attempt, further.nextBest!.move);
    expect(attempt.verdict).toContain("now, but another move is worth more");
    const win = book.of("win").find(({ nextBest }) => nextBest)!;
    const other = begun(win).attempt;
    play(other, win.nextBest!.move);
    expect(other.verdict).toContain("not enough to win");
  });

  test("is reported once if the answer is shown at once, and not again after one", () => {
    const shown = begun(puzzle);
    shown.attempt.reveal();
    shown.attempt.reveal();
    expect([shown.attempt.outcome, shown.attempt.found, shown.told]).toEqual(["shown", puzzle.answer, [false]]);
    const after = begun(puzzle);
    play(after.attempt, worse.move);
    after.attempt.reveal();
    expect(after.told).toEqual([false]);
  });
});

test("a claim is right or wrong", () => {
  const claims = book.of("spot_the_error");
  expect(new Set(claims.map(claimIsRight)).size).toBe(2);
  for (const puzzle of claims) {
    for (const saysRight of [true, false]) {
      const { attempt, told } = begun(puzzle);
      attempt.judge(saysRight);
      attempt.judge(!saysRight);
      const right = saysRight === (puzzle.claim!.points === puzzle.best);
      expect([attempt.outcome, told]).toEqual([right ? "solved" : "shown", [right]]);
    }
  }
});

test("another puzzle begins on the same board", () => {
  const { attempt } = begun(first("most_points"));
  play(attempt, first("most_points").nextBest!.move);
  const next = first("flip");
  attempt.begin(next);
  expect([attempt.outcome, attempt.wrong, attempt.verdict, attempt.practice.cells]).toEqual(["open", [], "", next.board]);
  play(attempt, next.answer);
  expect(attempt.found).toBe(writeMove(parseMove(next.answer)!));
});
