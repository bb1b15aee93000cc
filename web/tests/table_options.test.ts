/** The settings of a table as its players see them. */

import { afterEach, expect, test } from "vitest";
import { SWITCH_NAMES, optionsLike, settingsOf } from "../src/lib/table_options";
import { DEFAULT_OPTIONS } from "../src/protocol/limits";
import type { Options } from "../src/protocol/messages";
import { LOCALES, useLocale } from "../src/words/locale";
import { gameOfTwo } from "./fakes";

const usual: Options = { ...DEFAULT_OPTIONS };
const UNUSUAL: Options = {
  ...usual,
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
  guided: true,
};
const written = (options: Options, chairs = gameOfTwo().chairs): string[] =>
  settingsOf(options, chairs).map(({ label, value }) => `${label}: ${value}`);
afterEach(() => useLocale(() => "en"));

test("a table with default options shows only variant, scoring and clock", () => {
  expect(written(usual)).toEqual(["Variant: Standard", "Scoring: Automatic", "Thinking time: None"]);
});

test("options that differ from their defaults are shown", () => {
  expect(written(UNUSUAL)).toEqual([
    "Variant: Expert",
    "Scoring: Claim your own points",
    "Thinking time: Strict, 45\u00a0s per turn",
    "Stone layout: Star",
    "Who starts: Random",
    "Guide: The first turns are explained",
    "Hints: Allowed",
    "Who can find it: Everyone",
    "Programs: May take a seat",
    "Rating: Rated game",
  ]);
});

test("the starting player is shown by name, a free seat by its number", () => {
  const { chairs } = gameOfTwo();
  const free = { ...chairs[1]!, person: null, name: "", colour: "" as const };
  expect(written({ ...usual, start: 1 })).toContain("Who starts: Bo");
  expect(written({ ...usual, start: 1 }, [chairs[0]!, free])).toContain("Who starts: Seat 2");
});

test.each(SWITCH_NAMES)("the option %s is shown if it differs from its default", (name) => {
  expect(written({ ...usual, [name]: !usual[name] })).toHaveLength(written(usual).length + 1);
});

test.each(LOCALES)("each setting has its own label and value (%s)", (locale) => {
  useLocale(() => locale);
  const switched = Object.fromEntries(SWITCH_NAMES.map((name) => [name, !usual[name]]));
  const settings = settingsOf({ ...UNUSUAL, ...switched }, []);
  expect(new Set(settings.map(({ label }) => label)).size).toBe(settings.length);
  const before = settingsOf({ ...UNUSUAL, variant: "standard", scoring: "automatic", clock: "off", layout: "sides" }, []);
  settings.slice(0, 3).forEach(({ value }, n) => expect(value).not.toBe(before[n]!.value));
});

test("another game against bots keeps every setting that concerns no other people", () => {
  expect(optionsLike(UNUSUAL)).toEqual({ ...UNUSUAL, start: 0, listed: false, rated: false, programs: false, guided: false });
});
