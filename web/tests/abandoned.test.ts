/** Who may offer, take over or get back an abandoned seat. */

import { expect, test } from "vitest";
import { DEFAULT_OPTIONS } from "../src/protocol/limits";
import type { Chair, Snapshot } from "../src/protocol/messages";
import { mayOfferSeat, seatForNewcomer, seatToReturnTo } from "../src/play/abandoned";

const free: Chair = { person: null, bot: null, name: "", colour: "", program: false, owner: null, resigned: false };
const held = (person: string): Chair => ({ ...free, person, name: person });

function table(chairs: Chair[], agreed: number[] | null = null, you = "eve"): Snapshot {
  const proposals = agreed === null ? [] : [{ proposal: "newcomer", seat: 0, agreed }];
  const seats = chairs.flatMap(({ person }, seat) => (person === you ? [seat] : []));
  return {
    chairs,
    proposals,
    options: { ...DEFAULT_OPTIONS },
    now: { phase: "playing" },
    you: { person: you, seats, seat: seats[0] ?? null, hand: null },
  } as unknown as Snapshot;
}

test("an absent player's seat is offered by two others, one that was left by anybody", () => {
  expect(mayOfferSeat(table([held("ann"), held("bob")]), [1])).toBe(false);
  expect(mayOfferSeat(table([held("ann"), held("bob"), held("dee")]), [1])).toBe(true);
  expect(mayOfferSeat(table([held("ann"), held("bob")]), [])).toBe(false);
  expect(mayOfferSeat(table([held("ann"), { ...free, owner: "bob" }]), [])).toBe(true);
});

test("somebody new gets a seat that everybody who is here agreed on", () => {
  const three = [held("ann"), held("bob"), held("dee")];
  expect(seatForNewcomer(table(three), [1])).toBeNull();
  expect(seatForNewcomer(table(three, [0]), [1])).toBeNull();
  expect(seatForNewcomer(table(three, [0, 2]), [1])).toBe(1);
  expect(seatForNewcomer(table([held("ann"), free], [0]), [])).toBe(1);
  // Bob agreed to somebody new in the seat that was left, not in his own.
  expect(seatForNewcomer(table([held("ann"), held("bob"), free], [0, 1]), [1])).toBe(2);
});

test("a player returns to a seat that a bot or a newcomer holds", () => {
  expect(seatToReturnTo(table([held("ann"), { ...free, bot: "brook", owner: "eve" }]))).toBe(1);
  expect(seatToReturnTo(table([held("ann"), { ...held("bob"), owner: "eve" }]))).toBe(1);
  expect(seatToReturnTo(table([held("ann"), { ...free, bot: "brook", owner: "eve", resigned: true }]))).toBeNull();
  expect(seatToReturnTo(table([held("ann"), { ...held("eve"), owner: "eve" }]))).toBeNull();
});
