/** Slips come back after 1, 3, 7 and 21 days. */

import { expect, test } from "vitest";
import { shift } from "../../src/study/dates";
import { due, missed, nextDue, solved, waiting } from "../../src/study/slips";

const TODAY = "2026-12-30";

test("solved each time, it comes back after 1, 3, 7 and 21 days and is then learnt", () => {
  let slip = missed(TODAY, 0);
  let day = TODAY;
  const waits: number[] = [];
  while (slip.due !== null) {
    const next = slip.due;
    waits.push((Date.parse(next) - Date.parse(day)) / 86_400_000);
    expect(solved(slip, shift(next, -1), 1)).toBe(slip); // too early
    day = next;
    slip = solved(slip, day, 1);
  }
  expect(waits).toEqual([1, 3, 7, 21]);
});

test("missed again, it starts anew", () => {
  const second = solved(missed(TODAY, 0), "2026-12-31", 1);
  expect(second).toMatchObject({ step: 1, due: "2027-01-03" });
  expect(missed("2027-01-03", 2)).toMatchObject({ step: 0, due: "2027-01-04" });
});

test("solved late, it counts from the day on which it is solved", () => {
  expect(solved(missed(TODAY, 0), "2027-02-01", 1).due).toBe("2027-02-04");
});

test("the longest overdue comes first; what is learnt never", () => {
  const slips = {
    b: { step: 0, due: "2026-12-30", at: 0 },
    a: { step: 0, due: "2026-12-30", at: 0 },
    old: { step: 2, due: "2026-11-01", at: 0 },
    later: { step: 0, due: "2026-12-31", at: 0 },
    learnt: { step: 4, due: null, at: 0 },
  };
  expect(due(slips, TODAY)).toEqual(["old", "a", "b"]);
  expect(waiting(slips, TODAY)).toBe(1);
  expect(nextDue(slips)).toBe("2026-11-01");
  expect(nextDue({ learnt: slips.learnt })).toBeNull();
});
