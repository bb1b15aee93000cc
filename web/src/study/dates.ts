/** Dates of the local calendar, written 2026-11-17. They are counted as dates, never as elapsed time. */

import { addDays, dayNumber, isoDate, localDate, parseDate, weekdayOf as weekday, type CalendarDate } from "./daily";

export type Day = string;

const DAY_MS = 86_400_000;

/** The date on the calendar of this device. */
export const dayOf = (moment: Date): Day => isoDate(localDate(moment));

/** The text, if it is a date of the calendar. */
export const readDay = (text: string): Day | null => (parseDate(text) ? text : null);
export const partsOf = (day: Day): CalendarDate => parseDate(day)!;

/** How many dates after 1 January 1970. */
export const numberOf = (day: Day): number => dayNumber(partsOf(day));
export const dayNumbered = (number: number): Day => isoDate(addDays({ year: 1970, month: 1, day: 1 }, number));
export const shift = (day: Day, days: number): Day => isoDate(addDays(partsOf(day), days));

/** 0 for Monday to 6 for Sunday. */
export const weekdayOf = (day: Day): number => weekday(partsOf(day));

/** The first date of the month that is so many months away. */
export function monthOf(day: Day, months = 0): Day {
  const { year, month } = partsOf(day);
  return isoDate(addDays({ year, month: month + months, day: 1 }, 0));
}

/** Every date of the month of this one. */
export function datesOfMonth(day: Day): Day[] {
  const first = monthOf(day);
  return Array.from({ length: numberOf(monthOf(day, 1)) - numberOf(first) }, (_, n) => shift(first, n));
}

/** A date in words. English is written day first, as in the sentences of this page. */
export const sayDay = (day: Day, locale: string, form: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(locale === "en" ? "en-GB" : locale, { ...form, timeZone: "UTC" }).format(
    new Date(numberOf(day) * DAY_MS),
  );

/** "Monday 16 November". */
export const sayDate = (day: Day, locale: string): string =>
  sayDay(day, locale, { weekday: "long", day: "numeric", month: "long" });
