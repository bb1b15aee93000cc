/** Every lesson is true on its own board, in every language. */

import { describe, expect, test } from "vitest";
import { LESSONS, type Lesson } from "../src/pages/lessons";
import { LOCALES, useLocale } from "../src/words/locale";
import { boardOf, frontier, isEmpty, type Side } from "../src/rules/board";
import { after, type Move } from "../src/rules/moves";
import { explain } from "../src/rules/scoring";
import { allSeries, sumOf } from "../src/rules/series";
import { SQUARES, type Square } from "../src/rules/squares";

const subsets = (squares: readonly Square[]): Square[][] =>
  squares.reduce<Square[][]>((found, square) => [...found, ...found.map((each) => [...each, square])], [[]]);

/** Every move that the lesson's hand can try. */
function moves({ tiles, hand, variant }: Lesson): Move[] {
  const cells = boardOf(tiles);
  const taken = SQUARES.filter((square) => !isEmpty(cells[square]!));
  const flips = variant === "expert" ? subsets(taken) : [[], ...taken.map((square) => [square])];
  return hand.flatMap((digit) =>
    (["+", "="] as Side[]).flatMap((side) =>
      frontier(cells).flatMap((square) => flips.map((each) => ({ square, tile: { digit, side }, flips: each }))),
    ),
  );
}

/** The sums in a text, each with the number that it is said to come to: the next one after it. */
function sumsIn(text: string): { addends: number[]; said: number }[] {
  return [...text.matchAll(/(\d+(?: \+ \d+)+)\D+(\d+)/g)].map(([, sum, said]) => ({
    addends: sum!.split(" + ").map(Number),
    said: Number(said),
  }));
}

describe.each(LESSONS.map((lesson, n) => ({ lesson, number: n + 1 })))("lesson $number", ({ lesson }) => {
  const cells = boardOf(lesson.tiles);
  const tried = moves(lesson).map((move) => ({ move, ...explain(cells, move, lesson.variant) }));
  const solutions = tried.filter(({ points }) => points === lesson.goal);

  test("the goal is the most that one move can score", () => {
    expect(Math.max(...tried.map(({ points }) => points))).toBe(lesson.goal);
  });

  test.each(LOCALES)("the sums that it tells are on the board (%s)", (locale) => {
    useLocale(() => locale);
    for (const { addends, said } of sumsIn(lesson.text())) {
      expect(addends.reduce((sum, digit) => sum + digit)).toBe(said);
      const placed = tried.filter(({ move }) => move.flips.length === 0);
      const runs = placed.flatMap(({ move }) => allSeries(after(cells, move)));
      expect(runs.map((run) => run.addends)).toContainEqual(addends);
    }
  });

  test.each(LOCALES)("the sums of its solution are what the solution makes (%s)", (locale) => {
    useLocale(() => locale);
    for (const { addends, said } of sumsIn(lesson.done())) {
      expect(addends.reduce((sum, digit) => sum + digit)).toBe(said);
      const made = solutions.flatMap(({ kakuros }) => [...kakuros.map((kakuro) => kakuro.addends), kakuros.map(sumOf)]);
      expect(made.map((numbers) => numbers.toSorted())).toContainEqual(addends.toSorted());
    }
  });
});
