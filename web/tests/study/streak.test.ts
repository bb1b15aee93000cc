/** Days in a row: one missed day a week is forgiven. */

import { expect, test } from "vitest";
import { dayNumbered, numberOf } from "../../src/study/dates";
import { streakOf } from "../../src/study/streak";

const TODAY = "2026-11-16";

/** The row of a history: `x` for a day that was done, `.` for one that was not; the last is today. */
const row = (history: string) =>
  streakOf(
    [...history].flatMap((mark, n) => (mark === "x" ? [dayNumbered(numberOf(TODAY) - history.length + 1 + n)] : [])),
    TODAY,
  );

test.each([
  ["", 0, 0],
  [".", 0, 0],
  ["x", 1, 1],
  ["xxxxx", 5, 5],
  ["xxxx.", 4, 4], // today can still be done
  ["xxx.x", 4, 4],
  ["xxx..", 3, 3], // yesterday is forgiven
  ["xxx..x", 1, 3],
  ["xxx...", 0, 3],
  ["x.xxxxxx.x", 8, 8], // a week lies between the two
  ["x.xxxxx.x", 1, 6],
  [".x", 1, 1],
  ["xx.xx.xx", 2, 4],
])("%s is %i in a row, %i at most", (history, days, longest) => {
  expect(row(history)).toMatchObject({ days, longest });
});

test("a row says how long it can wait", () => {
  expect(row("xxx").until).toBe("2026-11-18");
  expect(row("xxx.").until).toBe("2026-11-17");
  expect(row("x.x").until).toBe("2026-11-17");
  expect(row("x..").until).toBe(TODAY);
  expect(row("x...").until).toBeNull();
});

test("a row waits exactly as long as it says", () => {
  for (let bits = 1; bits < 2 ** 10; bits += 1) {
    const history = bits.toString(2).replaceAll("1", "x").replaceAll("0", ".");
    const { until, days } = row(history);
    if (until === null) continue;
    const wait = numberOf(until) - numberOf(TODAY);
    const later = (missed: number) => row(`${history}${".".repeat(missed)}x`).days;
    // Today itself may still be open: then the day is done today, or not.
    if (wait === 0) expect(row(`${history.slice(0, -1)}x`).days).toBe(days + 1);
    else expect(later(wait - 1)).toBe(days + 1);
    expect(later(wait)).toBe(1);
  }
});

test("only the missed days between others are shown as forgiven", () => {
  expect(row("xx.x").forgiven).toEqual(["2026-11-15"]);
  expect(row("xx..x").forgiven).toEqual([]);
});

test("days to come do not count", () => {
  expect(streakOf([TODAY, "2026-11-17"], TODAY).days).toBe(1);
});
