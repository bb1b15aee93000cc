/** What the home page shows of today, in a few bytes: the home page does not read all of the progress. */

import { keep, kept } from "../lib/storage";
import { dayOf, type Day } from "./dates";

export interface Today {
  day: Day;
  puzzle: { right: boolean; solved: boolean } | null;
  sprint: { points: number; optimum: number } | null;
  /** Days in a row, and the last date on which the row can be continued. */
  streak: number;
  until: Day | null;
}

const KEY = "today";

export const keepToday = (today: Today): void => keep(KEY, JSON.stringify(today));

/** What is known of a day; after it, only the streak, as long as it lasts. */
export function keptToday(day: Day = dayOf(new Date())): Today {
  const none: Today = { day, puzzle: null, sprint: null, streak: 0, until: null };
  try {
    const found = JSON.parse(kept(KEY) ?? "null") as Today | null;
    if (found?.day === day) return found;
    return found?.until && found.until >= day ? { ...none, streak: found.streak, until: found.until } : none;
  } catch {
    return none;
  }
}
