/**
 * The puzzle and the sprint of a day, chosen by the calendar date alone. Python makes the same choice
 * (src/riverstones/study/puzzles/daily.py, which explains it); shared cases hold the two equal.
 */

/** A date of the calendar, wherever it is that date: no time of day, no time zone. */
export interface CalendarDate {
  year: number;
  /** 1 (January) to 12. */
  month: number;
  /** 1 to 31. */
  day: number;
}

const DAYS_A_WEEK = 7;
const DAY_MS = 86_400_000;
/** 1970-01-01 was a Thursday, three days after a Monday. */
const AFTER_MONDAY = 3;

const remainder = (number: number, divisor: number): number => ((number % divisor) + divisor) % divisor;

/** The date on this device's calendar. */
export const localDate = (now: Date = new Date()): CalendarDate => ({
  year: now.getFullYear(),
  month: now.getMonth() + 1,
  day: now.getDate(),
});

/** The number of days since 1970-01-01. Counted in UTC, where every day has 24 hours. */
export function dayNumber({ year, month, day }: CalendarDate): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return Math.round(date.getTime() / DAY_MS);
}

/** The date so many days after another, or before it. */
export function addDays({ year, month, day }: CalendarDate, days: number): CalendarDate {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day + days);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** 0 (Monday) to 6 (Sunday). */
export const weekdayOf = (date: CalendarDate): number => remainder(dayNumber(date) + AFTER_MONDAY, DAYS_A_WEEK);

/** The date as 2026-11-16. */
export const isoDate = ({ year, month, day }: CalendarDate): string =>
  `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;

/** The date written 2026-11-16; null if there is no such date. */
export function parseDate(text: string): CalendarDate | null {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  if (!match) return null;
  const date = { year: Number(match[1]), month: Number(match[2]), day: Number(match[3]) };
  return isoDate(addDays(date, 0)) === text ? date : null;
}

/** The index of a date's puzzle in a file with this many puzzles. */
export function puzzleIndex(puzzles: number, date: CalendarDate): number {
  const size = Math.floor(puzzles / DAYS_A_WEEK);
  const week = Math.floor((dayNumber(date) + AFTER_MONDAY) / DAYS_A_WEEK);
  return weekdayOf(date) * size + remainder(week, size);
}

/** The index of a date's sprint in a file with this many sprints. */
export const sprintIndex = (sprints: number, date: CalendarDate): number => remainder(dayNumber(date), sprints);
