/** A move that scores nothing says why: its near misses with their arithmetic, the most instructive in a sentence. */

import { afterEach, describe, expect, test } from "vitest";
import { boardOf, frontier } from "../src/rules/board";
import { parseMove } from "../src/rules/moves";
import { explain } from "../src/rules/scoring";
import { nameOf } from "../src/rules/squares";
import { nearestSums, whyNothing } from "../src/play/nearmiss";
import { useLocale } from "../src/words/locale";

const why = (tiles: string, move: string) => whyNothing(explain(boardOf(tiles), parseMove(move)!), parseMove(move)!);
const FIGURE_2 = "a2=9 b2+8 c2+3 c4=3 c5+9 d4=5 e4+2 e5=6 f5+7 f6+1 g6+5 h6+8";
afterEach(() => useLocale(() => "en"));

test.each([
  [8, 2, [2, 12]],
  [21, 2, [12, 22]],
  [4, 8, [8, 18]],
  [40, 3, [33, 43]],
  [43, 5, [25, 35]],
  [13, 4, [4, 14]],
])("a sum of %i and a red %i: the nearest sums are %j", (sum, total, nearest) => {
  expect(nearestSums(sum, total)).toEqual(nearest);
});

describe("the sentence", () => {
  test.each([
    ["a sum that is wrong", "a1=2 b1+5", "c1+3", "5 + 3 = 8; the red 2 needs 2 or 12."],
    ["an addend that is there twice", FIGURE_2, "d2+8", "8 + 3 + 8: the 8 appears twice. Addends must all differ."],
    ["a total behind its addends", "a1+7 b1+1", "c1=8", "7 + 1 = 8, but the total comes last: it must come before its addends."],
    ["one addend", "a1=8", "b1+3", "The red 8 has only one addend, the 3. It needs at least two."],
    ["an addend without a total", "b2+3", "c2+4", "No red total comes before it, to the left or above."],
    ["a total without addends", "b2+3", "c2=4", "A red total needs two or more yellow addends after it, to the right or below."],
  ])("for %s", (_, tiles, move, sentence) => {
    expect(why(tiles, move)?.text).toBe(sentence);
  });

  test("is said in the visitor's language", () => {
    useLocale(() => "fr");
    expect(why("a1=2 b1+5", "c1+3")?.text).toBe("5 + 3 = 8\u00a0; le 2 rouge demande 2 ou 12.");
  });

  test.each([
    ["a smaller difference before a larger", "a3=1 b3+5 c1=4 c2+9", "c3+3", "9 + 3 = 12; the red 4 needs 4 or 14."],
    [
      "a sum that fits but repeats before a difference",
      "a3=8 b3+4 c1=9 c2+4",
      "c3+4",
      "4 + 4: the 4 appears twice. Addends must all differ.",
    ],
    [
      "a difference before a repetition that would not fit either",
      "a3=1 b3+4 c1=9 c2+3",
      "c3+4",
      "3 + 4 = 7; the red 9 needs 9 or 19.",
    ],
    ["anything before a single addend", "b3=1 c1=9 c2+3", "c3+4", "3 + 4 = 7; the red 9 needs 9 or 19."],
  ])("tells %s", (_, tiles, move, sentence) => {
    expect(why(tiles, move)?.text).toBe(sentence);
  });
});

describe("on the board", () => {
  test("every near miss is outlined, and those without the sentence have their arithmetic", () => {
    const lights = why("a3=1 b3+5 c1=4 c2+9", "c3+3")!.lights;
    expect(lights.map(({ squares }) => squares.map(nameOf).join(" "))).toEqual(["c1 c2 c3", "a3 b3 c3"]);
    expect(lights.map(({ tone }) => tone)).toEqual(["miss", "miss"]);
    expect(lights[0]!.sentence).toBe(true);
    expect(lights[1]!.text).toBe("5 + 3 = 8");
  });

  test("a tile without any series has the sentence beside it", () => {
    const { lights, note } = why("b2+3", "c2+4")!;
    expect(lights).toEqual([]);
    expect(note).toMatchObject({ square: 11, tone: "calm" });
  });

  test("a move that scores shows only its Kakuros, and one that is refused only the reason", () => {
    expect(why("a1=8 b1+3", "c1+5")).toBeNull();
    expect(why(FIGURE_2, "c6+4"), "a move with a near miss besides").toBeNull();
    expect(why("a1=2 c1+1 d1+6 e1+5", "b1+5~e1")).toBeNull();
  });

  test("every placement that scores nothing has its sentence", () => {
    const cells = boardOf(FIGURE_2);
    let nothing = 0;
    for (const square of frontier(cells)) {
      for (const side of ["+", "="]) {
        for (let digit = 1; digit <= 9; digit += 1) {
          const move = parseMove(`${nameOf(square)}${side}${digit}`)!;
          const told = explain(cells, move);
          const reason = whyNothing(told, move);
          expect(reason === null, nameOf(square)).toBe(told.points > 0);
          if (reason) nothing += 1;
          if (reason) expect(reason.text).toMatch(/\.$/);
        }
      }
    }
    expect(nothing).toBeGreaterThan(300);
  });
});
