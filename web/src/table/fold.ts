/** A table after one more event, as the app knows it. */

import type { Asking, Chair, EventMessage, Snapshot, TableEvent } from "../protocol/messages";

export function fold(table: Snapshot, message: EventMessage): Snapshot {
  const next = { ...after(table, message.event, message.at_ms), seq: message.seq, now: message.now };
  return message.hand === undefined ? next : { ...next, you: { ...next.you, hand: message.hand } };
}

function after(table: Snapshot, event: TableEvent, at_ms: number): Snapshot {
  switch (event.type) {
    case "seated": {
      const asking = table.asking.filter(({ wish }) => wish !== "newcomer");
      return withChair({ ...table, asking }, event.seat, event.chair);
    }
    case "left":
      return withChair(table, event.seat, event.chair);
    case "started":
      return { ...table, first: event.first, commitment: event.commitment };
    case "moved": {
      const { type: _, ...turn } = event;
      return { ...table, turns: [...table.turns, turn], confirmed: [], asking: lasting(table) };
    }
    case "objected":
      return { ...table, turns: [...table.turns.slice(0, -1), event.last] };
    case "confirmed":
      return { ...table, confirmed: [...table.confirmed, event.seat] };
    case "asked":
      return { ...table, asking: [...table.asking, { wish: event.wish, seat: event.seat, agreed: seatsWith(table, event.seat) }] };
    case "agreed":
      return {
        ...table,
        asking: table.asking.map((asking) =>
          asking.wish === event.wish ? { ...asking, agreed: [...asking.agreed, ...seatsWith(table, event.seat)] } : asking,
        ),
      };
    case "declined":
      return { ...table, asking: table.asking.filter(({ wish }) => wish !== event.wish) };
    case "paused":
      return { ...table, asking: table.asking.filter(({ wish }) => wish !== "pause") };
    case "taken_back":
      return { ...table, turns: table.turns.slice(0, event.turns), confirmed: [], asking: lasting(table) };
    case "resigned":
      return withChair(table, event.seat, { ...table.chairs[event.seat]!, resigned: true });
    case "ended":
      return { ...table, result: event.result, asking: [] };
    case "said": {
      const { type: _, ...words } = event;
      return { ...table, chat: [...table.chat, { ...words, at_ms }] };
    }
    case "rematched":
      return { ...table, next: event.table, asking: table.asking.filter(({ wish }) => wish !== "rematch") };
    case "created":
    case "revealed":
    case "resumed":
    case "extended":
    case "closed":
    default:
      // A server that is newer than the page may tell of more.
      return table;
  }
}

/** The proposals that the end of a turn leaves open: a newcomer has yet to come. */
function lasting(table: Snapshot): Asking[] {
  return table.asking.filter(({ wish }) => wish === "newcomer");
}

/** All seats of whoever holds this one: at one device one voice speaks for them all. */
function seatsWith(table: Snapshot, seat: number): number[] {
  const { person } = table.chairs[seat]!;
  return table.chairs.flatMap((chair, n) => (chair.person === person ? [n] : []));
}

function withChair(table: Snapshot, seat: number, chair: Chair): Snapshot {
  const chairs = table.chairs.map((old, n) => (n === seat ? chair : old));
  const { person } = table.you;
  const seats = chairs.flatMap((each, n) => (person !== null && each.person === person ? [n] : []));
  return { ...table, chairs, you: { ...table.you, seats } };
}
