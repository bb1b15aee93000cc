import { expect, test } from "vitest";
import { fold } from "../src/table/fold";
import type { Chair, Now, Snapshot, TableEvent, Turn } from "../src/protocol/messages";

const chair = (person: string | null, name = ""): Chair => ({
  person,
  bot: null,
  name,
  colour: person ? "teal" : "",
  program: false,
  owner: null,
  resigned: false,
});
const now: Now = { phase: "playing", paused: false, turn: 0, to_move: 0, deadline_ms: null, left_ms: null, awaiting_reveal: false, objections_ms: null, position: null };
const table = {
  table: "t",
  seq: 1,
  chairs: [chair("p1", "Ann"), chair(null)],
  now,
  turns: [],
  confirmed: [],
  asking: [],
  chat: [],
  result: null,
  next: null,
  you: { person: "p1", seats: [0], seat: 0, hand: [2, 7] },
} as unknown as Snapshot;
const turn: Turn = { turn: 0, seat: 0, move: "e4+7", points: 0, claim: null, timed_out: false, kakuros: [], objections: [] };

let seq = 1;
const then = (from: Snapshot, event: TableEvent, hand?: number[]): Snapshot =>
  fold(from, { type: "event", seq: (seq += 1), at_ms: 5, event, now: { ...now, turn: 1 }, ...(hand ? { hand } : {}) });

test("a move joins the list, and ends confirmations and wishes", () => {
  const asked = then(then(table, { type: "asked", seat: 0, wish: "pause" }), { type: "confirmed", seat: 0 });
  expect(asked.asking).toEqual([{ wish: "pause", seat: 0, agreed: [0] }]);
  const moved = then(asked, { type: "moved", ...turn }, [2, 4]);
  expect(moved.turns).toEqual([turn]);
  expect(moved.you.hand).toEqual([2, 4]);
  expect([moved.asking, moved.confirmed]).toEqual([[], []]);
  expect(moved.now.turn).toBe(1);
});

test("a proposal for a newcomer outlives moves and take-backs, until somebody sits down", () => {
  const asked = then(then(table, { type: "asked", seat: 0, wish: "newcomer" }), { type: "asked", seat: 0, wish: "take_back" });
  const newcomer = [{ wish: "newcomer", seat: 0, agreed: [0] }];
  const moved = then(asked, { type: "moved", ...turn });
  expect(moved.asking).toEqual(newcomer);
  expect(then(asked, { type: "taken_back", turns: 0 }).asking).toEqual(newcomer);
  expect(then(moved, { type: "seated", seat: 1, chair: chair("p2", "Bo") }).asking).toEqual([]);
});

test("a revealed hand changes nothing but what now is", () => {
  const waiting = { ...table, now: { ...now, awaiting_reveal: true } };
  const revealed = then(waiting, { type: "revealed", seat: 0 });
  expect(revealed).toEqual({ ...waiting, seq: revealed.seq, now: { ...now, turn: 1 } });
});

test("what a newer server tells of leaves the table as it is", () => {
  const event = { type: "never_heard_of" } as unknown as TableEvent;
  expect(then(table, event).chairs).toEqual(table.chairs);
});

test("an objection replaces the turn, a take-back drops it", () => {
  const moved = then(table, { type: "moved", ...turn });
  const last = { ...turn, objections: [{ seat: 1, upheld: true }] };
  const objected = then(moved, { type: "objected", seat: 1, upheld: true, refusal: null, last });
  expect(objected.turns).toEqual([last]);
  expect(then(objected, { type: "taken_back", turns: 0 }).turns).toEqual([]);
});

test("one's own seats follow who sits where", () => {
  const both = then(table, { type: "seated", seat: 1, chair: chair("p1", "Bo") });
  expect(both.you.seats).toEqual([0, 1]);
  expect(then(both, { type: "left", seat: 0, chair: chair(null) }).you.seats).toEqual([1]);
});

test("at one device one voice agrees for all its seats", () => {
  const both = then(table, { type: "seated", seat: 1, chair: chair("p1", "Bo") });
  expect(then(both, { type: "asked", seat: 1, wish: "rematch" }).asking[0]!.agreed).toEqual([0, 1]);
});
