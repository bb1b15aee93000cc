/** A table's options in words: the choices that a new table has, and the settings of one that is made. */

import { m } from "../words";
import { LAYOUT_MESSAGES } from "../words/generated/layout";
import { OPTION_MESSAGES } from "../words/generated/option";
import { DEFAULT_OPTIONS, LAYOUTS } from "../protocol/limits";
import { namesOf } from "./players";
import type { Chair, Clock, Layout, Options, OptionsInput, Scoring, Variant } from "../protocol/messages";

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
const LAYOUT_TEXTS: Record<Layout, () => string> = LAYOUT_MESSAGES;

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
export const layoutChoices = (): Choice<Layout>[] =>
  (Object.keys(LAYOUTS) as Layout[]).map((value) => ({ value, text: LAYOUT_TEXTS[value]() }));

/** The options of the form for a new table. A new option that is missing there is a type error. */
export type AskedOptions = Omit<Options, "seats" | "seconds" | "guided">;

type SwitchName = { [Name in keyof AskedOptions]: AskedOptions[Name] extends boolean ? Name : never }[keyof AskedOptions];

/** The details of a switch, besides its label in the form, the message `option_NAME`. */
interface SwitchDetails {
  /** More about it, in the form. */
  about?: () => string;
  /** Its label in the settings of a table, if that differs from the one in the form. */
  label?: () => string;
  /** Its values in the settings of a table; by default “On” and “Off”. */
  on?: () => string;
  off?: () => string;
  /** Rated games do not have it. */
  unrated?: boolean;
  /** Only offered if strangers may join, or if the table can be rated. */
  only?: "strangers" | "ratable";
}

const SWITCH_DETAILS: Partial<Record<SwitchName, SwitchDetails>> = {
  hints: { label: m.hints, on: m.hints_on, off: m.hints_off, unrated: true },
  listed: { label: m.listed, on: m.listed_on, off: m.listed_off, only: "strangers" },
  programs: {
    label: m.programs,
    on: m.programs_on,
    off: m.programs_off,
    unrated: true,
    only: "strangers",
  },
  rated: {
    about: m.option_rated_about,
    label: m.rated,
    on: m.rated_on,
    off: m.rated_off,
    only: "ratable",
  },
};
/** A type error here: an option that is on or off lacks its message `option_NAME` in src/riverstones/words. */
const SWITCH_TEXTS: Record<SwitchName, () => string> = OPTION_MESSAGES;

const isSwitch = (name: string): boolean => name in DEFAULT_OPTIONS && name in SWITCH_TEXTS;

/** The options that are switches, in the order of the form: those with details first. */
export const SWITCH_NAMES = [
  ...new Set([...Object.keys(SWITCH_DETAILS), ...Object.keys(DEFAULT_OPTIONS)].filter(isSwitch)),
] as SwitchName[];

/** The label and the details of a switch. */
export const switchOf = (name: SwitchName): SwitchDetails & { text: () => string } => ({
  text: SWITCH_TEXTS[name],
  ...SWITCH_DETAILS[name],
});

/** The options of another game against bots like this one. They say nothing of other people: nobody else can join it. */
export function optionsLike(options: Options): OptionsInput {
  const { start, listed, rated, programs, guided } = DEFAULT_OPTIONS;
  return { ...options, start, listed, rated, programs, guided };
}

export interface Setting {
  label: string;
  value: string;
}

/**
 * How each option that is not a switch is shown, in this order. One without an entry is a type error. Null means that it is
 * shown elsewhere: seats as chairs, seconds with the clock.
 */
type Show = (options: Options, chairs: readonly Chair[]) => Setting;
const SETTINGS: Record<Exclude<keyof Options, SwitchName>, Show | null> = {
  variant: ({ variant }) => ({ label: m.variant(), value: VARIANTS[variant].text() }),
  scoring: ({ scoring }) => ({ label: m.scoring(), value: SCORINGS[scoring].text() }),
  clock: ({ clock, seconds }) => {
    const text = CLOCKS[clock].text();
    return { label: m.clock(), value: clock === "off" ? text : m.clock_and_seconds({ clock: text, count: seconds }) };
  },
  seconds: null,
  layout: ({ layout }) => ({ label: m.layout(), value: LAYOUT_TEXTS[layout]() }),
  start: ({ start }, chairs) => ({
    label: m.who_begins(),
    value: start === "random" ? m.begins_random() : starter(start, chairs),
  }),
  seats: null,
  guided: () => ({ label: m.guided(), value: m.guided_on() }),
};

function showSwitch(name: SwitchName, isOn: boolean): Setting {
  const { text, label = text, on = m.setting_on, off = m.setting_off } = switchOf(name);
  return { label: label(), value: isOn ? on() : off() };
}

/** A player is called by name; a seat that is still free has only its number. */
function starter(seat: number, chairs: readonly Chair[]): string {
  return chairs[seat]?.colour ? namesOf(chairs)[seat]! : m.seat_number({ number: seat + 1 });
}

/** The settings in whole sentences, for somebody who is invited. */
export function inWords({ seats, variant, scoring, clock, seconds, rated }: Options): string[] {
  const about = CLOCKS[clock].about!();
  return [
    m.game_for({ count: seats }),
    VARIANTS[variant].about!(),
    SCORINGS[scoring].about!(),
    clock === "off" ? about : m.clock_seconds_about({ about, count: seconds }),
    ...(rated ? [m.invited_rated()] : []),
  ];
}

/** Always shown; the others only if they differ from their defaults. */
const ALWAYS: readonly string[] = ["variant", "scoring", "clock"] satisfies (keyof Options)[];

/** The settings of a table that players should know. */
export function settingsOf(options: Options, chairs: readonly Chair[]): Setting[] {
  const differs = (name: keyof Options): boolean => ALWAYS.includes(name) || options[name] !== DEFAULT_OPTIONS[name];
  const others = (Object.keys(SETTINGS) as (keyof typeof SETTINGS)[]).filter(differs);
  return [
    ...others.flatMap((name) => SETTINGS[name]?.(options, chairs) ?? []),
    ...SWITCH_NAMES.filter(differs).map((name) => showSwitch(name, options[name])),
  ];
}
