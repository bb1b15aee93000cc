/**
 * Fills in a message of the catalogues: the same result as `riverstones.words.phrase`, which a golden test holds.
 * `scripts/compile-words.mjs` turns every message into a function that calls `fill`.
 */

import { currentLocale, LOCALES, type Locale } from "./locale";

/** A parameter; a list is joined by the rules of the language. */
export type Value = string | number | readonly (string | number)[];

/** A text, or one for each plural category with the parameter that decides. */
type Text = string | { plural: string; other: string; [category: string]: string };

/** `Intl` objects are costly to make, so each is made once. */
function perLocale<T>(make: (locale: Locale) => T): (locale: Locale) => T {
  const made = new Map<Locale, T>();
  return (locale) => {
    if (!made.has(locale)) made.set(locale, make(locale));
    return made.get(locale)!;
  };
}

const plurals = perLocale((locale) => new Intl.PluralRules(locale));
const lists = perLocale((locale) => new Intl.ListFormat(locale));

/** A message in the page's language; there is one text per language, in the order of LOCALES. */
export function fill(texts: readonly Text[], params: Readonly<Record<string, Value>> = {}): string {
  const locale = currentLocale();
  const text = texts[LOCALES.indexOf(locale)]!;
  const form = typeof text === "string" ? text : (text[plurals(locale).select(params[text.plural] as number)] ?? text.other);
  return form.replace(/\{([a-z_]+)\}/g, (_, name: string) => {
    const value = params[name]!;
    return typeof value === "object" ? lists(locale).format(value.map(String)) : String(value);
  });
}
