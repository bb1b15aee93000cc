/**
 * Days in a row. A missed day is forgiven if none of the six days before it was: one a week. It does not count, but it does
 * not break the row either.
 */

import { dayNumbered, numberOf, type Day } from "./dates";

/** The least number of days between two missed days that are forgiven. */
const FORGIVEN_EVERY = 7;

export interface Streak {
  /** The days in a row up to today; today's, once it is done. */
  days: number;
  longest: number;
  /** The last date on which the next day in a row can be done; null if there is none to continue. */
  until: Day | null;
  /** The missed days that were forgiven. */
  forgiven: Day[];
}

/** The row of the days on which the daily was done. */
export function streakOf(done: readonly Day[], today: Day): Streak {
  const now = numberOf(today);
  const played = new Set(done.map(numberOf).filter((day) => day <= now));
  const forgiven: number[] = [];
  let days = 0;
  let longest = 0;
  let lastForgiven = -Infinity;
  const first = Math.min(...played, now);
  for (let day = first; day <= now; day += 1) {
    if (played.has(day)) {
      days += 1;
      longest = Math.max(longest, days);
    } else if (day === now) {
      break; // It is not over yet.
    } else if (days && day - lastForgiven >= FORGIVEN_EVERY) {
      lastForgiven = day;
      forgiven.push(day);
    } else {
      // Two missed days end the row, so the first of them was not forgiven after all.
      if (forgiven.at(-1) === day - 1) forgiven.pop();
      days = 0;
      lastForgiven = -Infinity;
    }
  }
  const next = played.has(now) ? now + 1 : now;
  const spare = next - lastForgiven >= FORGIVEN_EVERY ? 1 : 0;
  return {
    days,
    longest,
    until: days ? dayNumbered(next + spare) : null,
    forgiven: forgiven.map(dayNumbered),
  };
}
