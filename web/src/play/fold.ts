/** Applies an event to a snapshot of a table, as `riverstones.table` does. Golden cases written by Python hold the two equal. */

import { CHAT_KEPT } from "../protocol/limits";
import type { PendingProposal, Chair, EventMessage, Snapshot, TableEvent, Proposal } from "../protocol/messages";

export function fold(table: Snapshot, message: EventMessage): Snapshot {
  const next = after(table, message.event, message.at_ms);
  // An event may arrive before the answer to `look` with no seat; its hand must not be shown to the next player.
  const hand = next.you.seat === null ? null : (message.hand ?? null);
  return { ...next, seq: message.seq, now: message.now, you: { ...next.you, hand } };
}

function after(table: Snapshot, event: TableEvent, at_ms: number): Snapshot {
  switch (event.type) {
    case "seated":
      return withChair({ ...table, proposals: without(table, "newcomer") }, event.seat, event.chair);
    case "left":
      return withChair(table, event.seat, event.chair);
    case "started":
      return { ...table, first: event.first, commitment: event.commitment };
    case "moved": {
      const { type: _, ...turn } = event;
      return turnBegins({ ...table, turns: [...table.turns, turn] });
    }
    case "objected":
      return { ...table, turns: [...table.turns.slice(0, -1), event.last] };
    case "confirmed":
      return { ...table, confirmed: merged(table.confirmed, [event.seat]) };
    case "asked":
      return {
        ...table,
        proposals: [...table.proposals, { proposal: event.proposal, seat: event.seat, agreed: seatsWith(table, event.seat) }],
      };
    case "agreed":
      return {
        ...table,
        proposals: table.proposals.map((pending) =>
          pending.proposal === event.proposal
            ? { ...pending, agreed: merged(pending.agreed, seatsWith(table, event.seat)) }
            : pending,
        ),
      };
    case "declined":
      return { ...table, proposals: without(table, event.proposal) };
    case "paused":
      return { ...table, proposals: without(table, "pause") };
    case "taken_back":
      return turnBegins({ ...table, turns: table.turns.slice(0, event.turns) });
    case "resigned":
      return {
        ...table,
        chairs: table.chairs.map((chair, seat) => (seat === event.seat ? { ...chair, resigned: true } : chair)),
      };
    case "ended":
      return { ...table, result: event.result, proposals: [] };
    case "said": {
      const { type: _, ...words } = event;
      return { ...table, chat: [...table.chat, { ...words, at_ms }].slice(-CHAT_KEPT) };
    }
    case "rematched":
      return { ...table, next: event.table, proposals: without(table, "rematch") };
    case "created":
    case "revealed":
    case "resumed":
    case "extended":
    case "closed":
      return table;
    default:
      // A newer server may send events that this page does not know; `now` has the state of the table.
      event satisfies never;
      return table;
  }
}

/** A new turn ends confirmations and proposals, except an open proposal for a newcomer. */
function turnBegins(table: Snapshot): Snapshot {
  return { ...table, confirmed: [], proposals: table.proposals.filter(({ proposal }) => proposal === "newcomer") };
}

const without = (table: Snapshot, proposal: Proposal): PendingProposal[] =>
  table.proposals.filter((pending) => pending.proposal !== proposal);

const merged = (seats: number[], more: number[]): number[] => [...new Set([...seats, ...more])].sort();

/** All seats of the person who holds this one: on a shared device they agree together. */
function seatsWith(table: Snapshot, seat: number): number[] {
  const { person } = table.chairs[seat]!;
  return table.chairs.flatMap((chair, n) => (chair.person === person ? [n] : []));
}

/** Replaces a chair. A viewer who loses the viewed seat becomes a spectator; one who now holds a single seat views from it. */
function withChair(table: Snapshot, seat: number, chair: Chair): Snapshot {
  const chairs = table.chairs.map((old, n) => (n === seat ? chair : old));
  const { person } = table.you;
  const seats = chairs.flatMap((each, n) => (person !== null && each.person === person ? [n] : []));
  const looking = table.you.seat;
  const lost = looking !== null && !seats.includes(looking);
  const only = looking === null && seats.length === 1;
  return { ...table, chairs, you: { ...table.you, seats, seat: lost ? null : only ? seats[0]! : looking } };
}
