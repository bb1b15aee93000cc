/** Sentences that are put together from parts follow the rules of each language. */

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { reasonOf, sayReason } from "../src/lib/refusals.svelte";
import { sayLine, sayPlay } from "../src/lib/words";
import { m } from "../src/words";
import { EAGER_REFUSALS } from "../src/words/generated/eager_refusals";
import { LAZY_REFUSALS } from "../src/words/generated/lazy_refusals";
import { LOCALES, useLocale, type Locale } from "../src/words/locale";
import { boardOf } from "../src/rules/board";
import { linesOf, squareOf } from "../src/rules/squares";

const speak = (locale: Locale): void => useLocale(() => locale);
afterEach(() => speak("en"));

test.each([
  ["en", "Ann and Bob", "Ann, Bob, and Inés"],
  ["it", "Ann e Bob", "Ann, Bob e Inés"],
  ["fr", "Ann et Bob", "Ann, Bob et Inés"],
  ["es", "Ann y Bob", "Ann, Bob e Inés"],
  ["nl", "Ann en Bob", "Ann, Bob en Inés"],
] as const)("winners are listed as %s lists names", (locale, two, three) => {
  speak(locale);
  expect(m.shared_win({ names: ["Ann", "Bob"] })).toContain(two);
  expect(m.shared_win({ names: ["Ann", "Bob", "Inés"] })).toContain(three);
});

test("French has a no-break space before a colon", () => {
  speak("fr");
  const line = linesOf(squareOf("e5")!)[0];
  expect(sayLine(boardOf("e5=4"), line)).toMatch(/^Ligne 5\u00a0: total 4$/);
  expect(sayPlay("Ann", { move: "e4+7", points: 0 })).toMatch(/^Ann\u00a0: /);
});

test("the refusals of the rules are there at once, others once they are loaded", async () => {
  expect(sayReason({ code: "gap", params: { square: "c6" } })).toContain("c6");
  const late = { code: "too_many_tables", params: { count: 40 } };
  expect(sayReason(late)).toBe("");
  expect(await reasonOf(late)).toContain("40");
  expect(sayReason(late)).toContain("40");
});

describe.each(LOCALES)("the limit of tables (%s)", (locale) => {
  beforeEach(() => speak(locale));

  test("says how many games there are, and not to try again in a moment", () => {
    const said = sayReason({ code: "too_many_tables", params: { count: 40 } });
    expect(said).toContain("40");
    expect(said).not.toBe(sayReason({ code: "too_many_requests", params: {} }));
  });
});

test.each(LOCALES)("refusals have their sentence in the language of the page (%s)", (locale) => {
  speak(locale);
  const codes = [...Object.keys({ ...EAGER_REFUSALS, ...LAZY_REFUSALS }), "move", "square"];
  const unknown = m.refusal_unknown();
  expect(codes.length).toBeGreaterThan(80);
  for (const code of codes.filter((each) => each !== "unknown"))
    expect(["by the server", unknown], code).not.toContain(sayReason({ code, params: {}, text: "by the server" }));
  expect(sayReason({ code: "of_tomorrow", params: {}, text: "by the server" })).toBe("by the server");
  expect(sayReason({ code: "of_tomorrow", params: {} })).toBe(unknown);
});
