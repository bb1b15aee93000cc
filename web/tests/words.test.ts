import { describe, expect, test } from "vitest";
import { m } from "../src/words";
import { LOCALES, OWN_NAMES, useLocale, type Locale } from "../src/words/locale";
import { casesOf } from "./cases";

interface Case {
  key: string;
  params: Record<string, unknown>;
  said: Record<Locale, string>;
}

const cases = casesOf<Case>("words");
const languages = Object.keys(cases[0]!.said) as Locale[];
const messages = m as unknown as Record<string, (params: unknown) => string>;

test("the page has the languages and the messages that Python has", () => {
  expect(LOCALES).toEqual(languages);
  expect(new Set(cases.map(({ key }) => key))).toEqual(new Set(Object.keys(messages)));
});

describe.each(languages)("%s", (locale) => {
  test(`says what Python says, in ${cases.length} cases`, () => {
    useLocale(() => locale);
    const different = cases
      .map(({ key, params, said }) => ({ key, page: messages[key]!(params), python: said[locale] }))
      .filter(({ page, python }) => page !== python);
    const count = `${different.length} texts differ between page and Python`;
    expect(different.slice(0, 3), `${count}: is "grammar" in ${locale}.json right?`).toEqual([]);
  });

  test("calls itself by its own name", () => {
    useLocale(() => locale);
    expect(m.own_language()).toBe(OWN_NAMES[LOCALES.indexOf(locale)]);
  });
});

test("a switch of the language is seen at the next call", () => {
  useLocale(() => "fr");
  expect(m.points({ count: 0 })).toBe("0 point");
  useLocale(() => "nl");
  expect(m.points({ count: 0 })).toBe("0 punten");
});
