/** The daily goes by the local calendar, in every time zone and across every kind of odd day. */

import { afterEach, describe, expect, test, vi } from "vitest";
import { datesOfMonth, dayOf, monthOf, numberOf, partsOf, readDay, sayDate, shift, weekdayOf } from "../../src/study/dates";

const ZONES = ["Europe/Rome", "America/New_York", "Pacific/Kiritimati", "Asia/Kathmandu", "Australia/Lord_Howe"];
const HOUR_MS = 3_600_000;
afterEach(() => vi.unstubAllEnvs());

/** The date as the zone's own calendar writes it. */
const written = (moment: Date, zone: string): string =>
  new Intl.DateTimeFormat("sv-SE", { timeZone: zone, year: "numeric", month: "2-digit", day: "2-digit" }).format(moment);

describe.each(ZONES)("in %s", (zone) => {
  test("every hour of two years has the date of the wall calendar, and dates follow each other", () => {
    vi.stubEnv("TZ", zone);
    let before = dayOf(new Date("2026-01-01T12:00:00Z"));
    const format = new Intl.DateTimeFormat("sv-SE", { timeZone: zone });
    const wrong: string[] = [];
    for (let ms = Date.parse("2026-01-01T12:00:00Z"); ms < Date.parse("2028-01-02T00:00:00Z"); ms += HOUR_MS) {
      const day = dayOf(new Date(ms));
      if (day !== format.format(ms) || (day !== before && day !== shift(before, 1))) wrong.push(new Date(ms).toISOString());
      before = day;
    }
    expect(wrong).toEqual([]);
  });

  test("one second decides at midnight, at the end of the year too", () => {
    vi.stubEnv("TZ", zone);
    for (const last of ["2026-12-31", "2028-02-28", "2026-03-28", "2026-10-24"]) {
      const { year, month, day } = partsOf(last);
      const midnight = new Date(year, month - 1, day + 1).getTime();
      expect(dayOf(new Date(midnight - 1000))).toBe(last);
      expect(dayOf(new Date(midnight))).toBe(shift(last, 1));
      expect(written(new Date(midnight), zone)).toBe(shift(last, 1));
    }
  });

  test("months are whole", () => {
    vi.stubEnv("TZ", zone);
    expect(datesOfMonth("2028-02-11")).toHaveLength(29);
    expect(datesOfMonth("2026-12-31").at(-1)).toBe("2026-12-31");
    expect([monthOf("2026-12-31", 1), monthOf("2026-01-31", -1)]).toEqual(["2027-01-01", "2025-12-01"]);
  });
});

test("at one moment, places on both sides of the date line have different days", () => {
  const moment = new Date("2026-11-16T10:30:00Z");
  vi.stubEnv("TZ", "Pacific/Kiritimati");
  expect(dayOf(moment)).toBe("2026-11-17");
  vi.stubEnv("TZ", "Pacific/Pago_Pago");
  expect(dayOf(moment)).toBe("2026-11-15");
});

test("dates are read only if the calendar has them", () => {
  expect(readDay("2028-02-29")).toBe("2028-02-29");
  for (const text of ["2026-02-29", "2026-13-01", "2026-1-01", "today", "2026-11-16T00:00"]) expect(readDay(text)).toBeNull();
});

test("weeks begin on Monday", () => {
  expect(["2026-11-16", "2026-11-22", "1969-12-29"].map(weekdayOf)).toEqual([0, 6, 0]);
  expect(numberOf("1970-01-02")).toBe(1);
});

test("a date reads as people say it", () => {
  const said = ["en", "it", "fr", "es", "nl"].map((locale) => sayDate("2026-11-16", locale));
  expect(said).toEqual([
    "Monday 16 November",
    "lunedì 16 novembre",
    "lundi 16 novembre",
    "lunes, 16 de noviembre",
    "maandag 16 november",
  ]);
});
