/** The settings of a table as its players see them. */

import { afterEach, expect, test } from "vitest";
import { settingsOf } from "../src/lib/table_options";
import { DEFAULT_OPTIONS } from "../src/protocol/limits";
import type { Options } from "../src/protocol/messages";
import { LOCALES, useLocale } from "../src/words/locale";

const usual: Options = { ...DEFAULT_OPTIONS };
const UNUSUAL: Options = {
  seats: 4,
  variant: "expert",
  layout: "star",
  scoring: "claims",
  start: "random",
  clock: "strict",
  seconds: 45,
  hints: true,
  listed: true,
  rated: true,
  programs: true,
};
const written = (options: Options): string[] => settingsOf(options).map(({ label, value }) => `${label}: ${value}`);
afterEach(() => useLocale(() => "en"));

test("of a usual table only variant, scoring and time are told", () => {
  expect(written(usual)).toEqual(["Variant: Standard", "Scoring: Automatic", "Thinking time: None"]);
});

test("what is not usual is told", () => {
  expect(written(UNUSUAL)).toEqual([
    "Variant: Expert",
    "Scoring: Claim your own points",
    "Thinking time: Strict, 45\u00a0s per turn",
    "Stone layout: Star",
    "Who starts: Random",
    "Hints: Allowed",
    "Rating: Rated game",
    "Who can find it: Everyone",
    "Programs: May take a seat",
  ]);
  expect(written({ ...usual, start: 2 })).toContain("Who starts: Seat 3");
});

test.each(LOCALES)("each setting has its own label and value (%s)", (locale) => {
  useLocale(() => locale);
  const settings = settingsOf(UNUSUAL);
  expect(new Set(settings.map(({ label }) => label)).size).toBe(settings.length);
  const before = settingsOf({ ...UNUSUAL, variant: "standard", scoring: "automatic", clock: "off", layout: "sides" });
  settings.slice(0, 3).forEach(({ value }, n) => expect(value).not.toBe(before[n]!.value));
});
