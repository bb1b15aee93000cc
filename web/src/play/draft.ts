/**
 * The tentative move, stored in the tab so that it survives a reload. It is restored only for the same person on the same
 * seat in the same position: on a shared device nobody sees the tile of another player.
 */

import { forget, keep, kept } from "../lib/storage";
import type { Snapshot } from "../protocol/messages";

const keyOf = ({ table }: Snapshot): string => `draft.${table}`;

/** The person, seat and position that a draft belongs to. */
const placeOf = ({ you, now }: Snapshot): string => JSON.stringify([you.person, you.seat, now.position]);

export function keepDraft(table: Snapshot, move: string): void {
  keep(keyOf(table), JSON.stringify({ place: placeOf(table), move }), "sessionStorage");
}

export function dropDraft(table: Snapshot): void {
  forget(keyOf(table), "sessionStorage");
}

/** The stored tentative move, in notation. */
export function draftOf(table: Snapshot): string | null {
  const found = kept(keyOf(table), "sessionStorage");
  if (found === null) return null;
  const { place, move } = JSON.parse(found) as { place: string; move: string };
  return place === placeOf(table) ? move : null;
}
