/** Seats that their players have left or are absent from, as `table/proposals.py` and `table/seating.py` judge them. */
import type { Snapshot } from "../protocol/messages";

/** The people at the table who are not absent. */
function present(table: Snapshot, absent: readonly number[]): Set<string> {
  return new Set(table.chairs.flatMap(({ person }, seat) => (person && !absent.includes(seat) ? [person] : [])));
}

/** Whether a player may offer a seat to somebody new: one that was left, or an absent player's if two others agree. */
export function mayOfferSeat(table: Snapshot, absent: readonly number[]): boolean {
  if (table.now.phase !== "playing" || table.options.rated) return false;
  return table.chairs.some(({ person, bot }) => !person && !bot) || (absent.length > 0 && present(table, absent).size > 1);
}

/** The seat that somebody new may take over now, with the consent of everybody who is here; null if there is none. */
export function seatForNewcomer(table: Snapshot, absent: readonly number[]): number | null {
  const agreed = table.proposals.find(({ proposal }) => proposal === "newcomer")?.agreed;
  if (!agreed || table.chairs.some(({ person }, seat) => person && !absent.includes(seat) && !agreed.includes(seat))) return null;
  const consenting = new Set(agreed.map((seat) => table.chairs[seat]!.person));
  const found = table.chairs.findIndex(({ person, bot }, seat) => {
    if (!person) return !bot;
    return absent.includes(seat) && [...consenting].filter((each) => each && each !== person).length > 1;
  });
  return found === -1 ? null : found;
}

/** The visitor's own seat that a bot or somebody else plays meanwhile; null if there is none to return to. */
export function seatToReturnTo(table: Snapshot): number | null {
  const { person, seats } = table.you;
  if (!person || seats.length > 0 || table.now.phase !== "playing") return null;
  const found = table.chairs.findIndex((chair) => chair.owner === person && chair.person !== person && !chair.resigned);
  return found === -1 ? null : found;
}
