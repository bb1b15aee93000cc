/** Names, initials and levels of the players at a table. */

import { m } from "../words";
import { LEVEL_MESSAGES } from "../words/generated/level";
import { LEVELS, type Colour, type Level } from "../protocol/limits";
import type { Chair } from "../protocol/messages";

const capital = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1);

/** All levels; a server without the engine offers fewer. */
export const ALL_LEVELS: string[] = [...LEVELS];

const LEVEL_TEXTS: Record<Level | `${Level}_about`, () => string> = LEVEL_MESSAGES;

/** A newer server may have levels that this page has no words for. */
const isKnown = (level: string): level is Level => ALL_LEVELS.includes(level);
export const levelName = (level: string): string => (isKnown(level) ? LEVEL_TEXTS[level]() : capital(level));
export const aboutLevel = (level: string): string => (isKnown(level) ? LEVEL_TEXTS[`${level}_about`]() : "");

/** The colours of the seats where no players are known: those of a guest who plays against bots. */
export const SEAT_COLOURS: readonly Colour[] = ["teal", "indigo", "plum", "ochre"];

/** The name to show: a bot is called by its level. */
export const nameOfChair = (chair: Chair): string => (chair.bot ? levelName(chair.bot) : chair.name || m.free_seat());

/** A distinct initial for every player at the table: B, B2. A chair without a colour is empty. */
export function initialsOf(chairs: readonly Chair[]): string[] {
  const letters = chairs.map((chair) => (chair.colour ? ([...nameOfChair(chair)][0]?.toLocaleUpperCase() ?? "?") : ""));
  return letters.map((letter, seat) => {
    const before = letters.slice(0, seat).filter((other) => other && other === letter).length;
    return before ? `${letter}${before + 1}` : letter;
  });
}

/** The names of all chairs, numbered if two bots have the same level: Brook, Brook 2. A line never ends before a number. */
export function namesOf(chairs: readonly Chair[]): string[] {
  return chairs.map((chair, seat) => {
    const name = nameOfChair(chair);
    const before = chairs.slice(0, seat).filter((other) => other.bot && nameOfChair(other) === name).length;
    return chair.bot && before ? `${name}\u00a0${before + 1}` : name;
  });
}
