/** What the profile says of accuracy and sight. */

import { expect, test } from "vitest";
import { accuracyCourse, shareOf, strengths } from "../../src/study/profile";

const found = (share: number, chances: number) => ({ found: Math.round(share * chances), chances });

test("the running mean covers the last ten games, with one standard deviation around it", () => {
  const games = Array.from({ length: 12 }, (_, n) => ({ accuracy: n < 2 ? 0 : 60 }));
  const course = accuracyCourse(games);
  expect(course[0]).toEqual({ accuracy: 0, mean: 0, low: 0, high: 0 });
  expect(course[2]!.mean).toBeCloseTo(20);
  expect(course[2]!.high).toBeCloseTo(20 + Math.sqrt(1200));
  expect(course[2]!.low).toBe(0);
  expect(course[11]).toEqual({ accuracy: 60, mean: 60, low: 60, high: 60 });
});

test("a kind is seen well or missed if it differs clearly from the rest and occurred often enough", () => {
  const all = found(0.5, 200);
  const sight = { all, flips: found(0.3, 40), long_runs: found(0.9, 9), columns: found(0.66, 50), rows: found(0.5, 80) };
  expect(strengths(sight)).toEqual({ well: "columns", missed: "flips" });
  expect(strengths({ all, flips: all, long_runs: all, columns: all, rows: all })).toEqual({ well: null, missed: null });
  const none = found(0, 0);
  expect(strengths({ all: none, flips: none, long_runs: none, columns: none, rows: none })).toEqual({ well: null, missed: null });
  expect(shareOf(none)).toBe(0);
});
