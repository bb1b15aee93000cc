/** The lists on the home page: their order, and a cache for when the server cannot be reached. */

import type { TableSummary } from "../protocol/messages";
import { keep, kept } from "./storage";

export interface Lists {
  person: string | null;
  mine: TableSummary[];
  /** Public tables that wait for players. */
  open: TableSummary[];
  /** Public games that may be watched. */
  public: TableSummary[];
}

/** The version of the cached form; raise it when a summary changes, so that older caches are ignored. */
const VERSION = 3;

/** The number of turns of a game, of all players, after which its players need no guide. */
const LEARNT = 12;

export function keepLists(lists: Lists): void {
  if (lists.mine.some(({ turn }) => turn >= LEARNT)) keep("learnt", "yes");
  keep("lists", JSON.stringify({ version: VERSION, ...lists }));
}

export function keptLists(): Lists | null {
  try {
    const found = JSON.parse(kept("lists") ?? "null") as (Lists & { version: number }) | null;
    return found?.version === VERSION ? found : null;
  } catch {
    return null;
  }
}

/** This device has been used to play: the home page has the games at the top. */
export const hasPlayed = (): boolean => kept("played") !== null || Boolean(keptLists()?.mine.length);
/** Nobody on this device has had a guided game, or played far enough to need none. A seat or an account teaches nothing. */
export const isNewcomer = (): boolean => kept("guided") === null && kept("learnt") === null;
export const notePlayed = (): void => keep("played", "yes");

export const isMyTurn = ({ to_move, chairs }: TableSummary, me: string | null): boolean =>
  me !== null && to_move !== null && chairs[to_move]?.person === me;

/** My turn, then others' turns, then tables that wait for players, then finished games. */
function urgency(summary: TableSummary, me: string | null): number {
  if (summary.phase === "over") return 3;
  if (summary.phase === "waiting") return 2;
  return isMyTurn(summary, me) ? 0 : 1;
}

/** The most urgent game first; among equals the latest change. */
export function byUrgency(games: readonly TableSummary[], me: string | null): TableSummary[] {
  return [...games].sort((one, other) => urgency(one, me) - urgency(other, me) || other.changed_ms - one.changed_ms);
}

/** Whether a game can be removed from the list: it is over, or no other person takes part in it. */
export function isDismissable({ phase, chairs }: TableSummary, me: string | null): boolean {
  const alone = phase === "playing" && chairs.every(({ person, owner, bot }) => (person === me || bot) && !owner);
  return me !== null && (phase === "over" || alone);
}
