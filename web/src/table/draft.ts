/**
 * The tile that lies on the board but is not yet played, kept in the tab for a reload of the page. It comes back for the
 * same person on the same seat in the same position only: on a shared device nobody is shown the tile of another.
 */

import { forget, keep, kept } from "../lib/kept";
import type { Snapshot } from "../protocol/messages";

const keyOf = ({ table }: Snapshot): string => `draft.${table}`;

/** Whose tile it is, and where it was laid. */
const placeOf = ({ you, now }: Snapshot): string => JSON.stringify([you.person, you.seat, now.position]);

export function keepDraft(table: Snapshot, move: string): void {
  keep(keyOf(table), JSON.stringify({ place: placeOf(table), move }), "sessionStorage");
}

export function dropDraft(table: Snapshot): void {
  forget(keyOf(table), "sessionStorage");
}

/** The move that was laid out here, in notation. */
export function draftOf(table: Snapshot): string | null {
  const found = kept(keyOf(table), "sessionStorage");
  if (found === null) return null;
  const { place, move } = JSON.parse(found) as { place: string; move: string };
  return place === placeOf(table) ? move : null;
}
