/** The rating of a solver in words, once it says something. */

import { m } from "../words";
import { currentLocale } from "../words/locale";

/** A rating that may be off by more than this says nothing yet. */
const ROUGH = 400;

export function sayRating({ value, spread }: { value: number; spread: number }): string {
  if (spread > ROUGH) return m.puzzles_rating_soon();
  const whole = new Intl.NumberFormat(currentLocale(), { maximumFractionDigits: 0, useGrouping: false });
  return m.puzzles_rating({ value: whole.format(value), spread: whole.format(spread) });
}
