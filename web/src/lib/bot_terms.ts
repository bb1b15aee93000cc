/** The settings of a game against bots, as last chosen on this device. */

import type { OptionsInput } from "../protocol/messages";
import { keep, kept } from "./storage";

/** Hints are allowed unless somebody has chosen otherwise. */
const USUAL: OptionsInput = { hints: true };

export function keptBotTerms(): OptionsInput {
  try {
    return { ...USUAL, ...(JSON.parse(kept("bot_terms") ?? "{}") as OptionsInput) };
  } catch {
    return USUAL;
  }
}

/** Only what concerns a game against bots: nobody else can find it or join it. */
export function keepBotTerms({ variant, scoring, clock, seconds, layout, start, hints }: OptionsInput): void {
  keep("bot_terms", JSON.stringify({ variant, scoring, clock, seconds, layout, start, hints }));
}
