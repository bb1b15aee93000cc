/** The languages, and the one in use. */

import { LOCALES, OWN_NAMES } from "./generated/locales";

/** Every language by its code, and what each calls itself, in the same order. */
export { LOCALES, OWN_NAMES };
export type Locale = (typeof LOCALES)[number];

let current = (): Locale => "en";

export const currentLocale = (): Locale => current();

/** Set where the language is read from. If that is reactive, a switch updates every text at once. */
export const useLocale = (chosen: () => Locale): void => void (current = chosen);
