/** Who is at a seat, in words. */

import { m } from "../words";
import { LEVELS, type Level } from "../protocol/limits";
import type { Chair } from "../protocol/messages";

const capital = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1);

/** What the house's bots are called, and what each is like. */
const LEVEL_WORDS: Record<Level, { name: () => string; about: () => string }> = {
  drop: { name: m.level_drop, about: m.level_drop_about },
  pebble: { name: m.level_pebble, about: m.level_pebble_about },
  spring: { name: m.level_spring, about: m.level_spring_about },
  brook: { name: m.level_brook, about: m.level_brook_about },
  stream: { name: m.level_stream, about: m.level_stream_about },
  river: { name: m.level_river, about: m.level_river_about },
  rapids: { name: m.level_rapids, about: m.level_rapids_about },
  ocean: { name: m.level_ocean, about: m.level_ocean_about },
};

/** All bots that the house has; a server without the engine offers fewer. */
export const ALL_LEVELS: string[] = [...LEVELS];

/** A newer server may have levels that this page has no words for. */
const wordsFor = (level: string) => (level in LEVEL_WORDS ? LEVEL_WORDS[level as Level] : null);
export const levelName = (level: string): string => wordsFor(level)?.name() ?? capital(level);
export const aboutLevel = (level: string): string => wordsFor(level)?.about() ?? "";

/** The name to show: a bot is called by its level. */
export const nameOfChair = (chair: Chair): string => (chair.bot ? levelName(chair.bot) : chair.name || m.free_seat());

/** A letter for everybody at the table, no two alike: B, B2. Nobody is at a seat without a colour. */
export function initialsOf(chairs: readonly Chair[]): string[] {
  const letters = chairs.map((chair) => (chair.colour ? ([...nameOfChair(chair)][0]?.toLocaleUpperCase() ?? "?") : ""));
  return letters.map((letter, seat) => {
    const before = letters.slice(0, seat).filter((other) => other && other === letter).length;
    return before ? `${letter}${before + 1}` : letter;
  });
}

/** What the bots of a table of three are called apart, if two are of one level: Brook, Brook 2. */
export function namesOf(chairs: readonly Chair[]): string[] {
  return chairs.map((chair, seat) => {
    const name = nameOfChair(chair);
    const before = chairs.slice(0, seat).filter((other) => other.bot && nameOfChair(other) === name).length;
    return chair.bot && before ? `${name} ${before + 1}` : name;
  });
}
