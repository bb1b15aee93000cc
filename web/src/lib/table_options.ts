/** A table's options in words: the choices that a new table has, and the settings of one that is made. */

import { m } from "../words";
import { DEFAULT_OPTIONS } from "../protocol/limits";
import type { Clock, Layout, Options, Scoring, Variant } from "../protocol/messages";

type Texts<Value extends string> = Record<Value, { text: () => string; about?: () => string }>;

const VARIANTS: Texts<Variant> = {
  standard: { text: m.variant_standard, about: m.variant_standard_about },
  expert: { text: m.variant_expert, about: m.variant_expert_about },
};
const SCORINGS: Texts<Scoring> = {
  automatic: { text: m.scoring_automatic, about: m.scoring_automatic_about },
  claims: { text: m.scoring_claims, about: m.scoring_claims_about },
};
const CLOCKS: Texts<Clock> = {
  off: { text: m.clock_off, about: m.clock_off_about },
  gentle: { text: m.clock_gentle, about: m.clock_gentle_about },
  strict: { text: m.clock_strict, about: m.clock_strict_about },
};
const LAYOUTS: Texts<Layout> = {
  sides: { text: m.layout_sides },
  corners: { text: m.layout_corners },
  star: { text: m.layout_star },
  edges: { text: m.layout_edges },
};

interface Choice<Value> {
  value: Value;
  text: string;
  about?: string;
}

function choices<Value extends string>(texts: Texts<Value>): Choice<Value>[] {
  const values = Object.keys(texts) as Value[];
  return values.map((value) => {
    const { text, about } = texts[value];
    return { value, text: text(), ...(about && { about: about() }) };
  });
}

export const variantChoices = (): Choice<Variant>[] => choices(VARIANTS);
export const scoringChoices = (): Choice<Scoring>[] => choices(SCORINGS);
export const clockChoices = (): Choice<Clock>[] => choices(CLOCKS);
export const layoutChoices = (): Choice<Layout>[] => choices(LAYOUTS);

export interface Setting {
  label: string;
  value: string;
}

/**
 * How each option is shown, in this order. Every option has its entry, or the page does not compile; null for one that
 * is seen elsewhere: the seats have their chairs, the seconds stand with the clock.
 */
const SETTINGS: { [Name in keyof Options]: ((options: Options) => Setting) | null } = {
  variant: ({ variant }) => ({ label: m.variant(), value: VARIANTS[variant].text() }),
  scoring: ({ scoring }) => ({ label: m.scoring(), value: SCORINGS[scoring].text() }),
  clock: ({ clock, seconds }) => {
    const text = CLOCKS[clock].text();
    return { label: m.clock(), value: clock === "off" ? text : m.clock_and_seconds({ clock: text, count: seconds }) };
  },
  seconds: null,
  layout: ({ layout }) => ({ label: m.layout(), value: LAYOUTS[layout].text() }),
  start: ({ start }) => ({
    label: m.who_begins(),
    value: start === "random" ? m.begins_random() : m.seat_number({ number: start + 1 }),
  }),
  seats: null,
  hints: ({ hints }) => ({ label: m.hints(), value: hints ? m.hints_on() : m.hints_off() }),
  rated: ({ rated }) => ({ label: m.rated(), value: rated ? m.rated_on() : m.rated_off() }),
  listed: ({ listed }) => ({ label: m.listed(), value: listed ? m.listed_on() : m.listed_off() }),
  programs: ({ programs }) => ({ label: m.programs(), value: programs ? m.programs_on() : m.programs_off() }),
};

/** Shown whatever they are; the others only where they differ from the usual. */
const ALWAYS: readonly string[] = ["variant", "scoring", "clock"] satisfies (keyof Options)[];

/** The settings of a table that players should know. */
export function settingsOf(options: Options): Setting[] {
  const names = Object.keys(SETTINGS) as (keyof Options)[];
  return names.flatMap((name) => {
    const shown = ALWAYS.includes(name) || options[name] !== DEFAULT_OPTIONS[name];
    return (shown && SETTINGS[name]?.(options)) || [];
  });
}
