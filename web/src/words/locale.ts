/** Which languages there are, and which one the page speaks. */

import { LOCALES, OWN_NAMES } from "./generated/locales";

/** Every language by its code, and what each calls itself, in the same order. */
export { LOCALES, OWN_NAMES };
export type Locale = (typeof LOCALES)[number];

let current = (): Locale => "en";

export const currentLocale = (): Locale => current();

/** Let whoever keeps the visitor's choice say it: where that is reactive, a switch is seen at once wherever words stand. */
export const useLocale = (chosen: () => Locale): void => void (current = chosen);
