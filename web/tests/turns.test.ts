// @vitest-environment ./tests/client-environment.ts
/** Whose turn it is and what was played, as the board shows it: bots answer at once, but their moves are shown one by one. */

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Snapshot, Turn } from "../src/protocol/messages";
import { TableSession } from "../src/play/session.svelte";
import { Show } from "../src/play/show.svelte";
import { Wording } from "../src/play/wording.svelte";
import { FakeSocket, fakeBrowser, gameOfTwo, realBrowser } from "./fakes";

vi.mock("../src/lib/sound", () => ({ sound: () => {} }));
beforeEach(() => void fakeBrowser());
afterEach(realBrowser);

const turn = (number: number, seat: number, move: string, points = 0) =>
  ({ turn: number, seat, move, points, kakuros: [], objections: [], timed_out: false }) as unknown as Turn;
/** Ann's move and those of three bots. */
const TURNS = [turn(0, 0, "e4+5"), turn(1, 1, "e6+4"), turn(2, 2, "d5=1", 12), turn(3, 3, "f5+2")];

function sit(now: Partial<Snapshot["now"]> = {}) {
  const session = new TableSession("t", () => {});
  FakeSocket.last.open();
  FakeSocket.last.welcome();
  const table = gameOfTwo({ turn: 4, ...now });
  const bots = ["River", "River 2", "River 3"].map((name) => ({ ...table.chairs[1]!, person: null, name }));
  const snapshot = { ...table, turns: TURNS, chairs: [table.chairs[0]!, ...bots] };
  FakeSocket.last.say({ type: "snapshot", snapshot });
  const show = new Show();
  return { session, show, wording: new Wording(session, show) };
}

describe("the header", () => {
  test("follows the board while three bots are shown", () => {
    const { show, wording } = sit();
    const seen = [1, 2, 3, null].map((upTo) => {
      show.upTo = upTo;
      return [wording.turn, wording.toMove, wording.myTurn];
    });
    expect(seen).toEqual([
      ["River to move", 1, false],
      ["River 2 to move", 2, false],
      ["River 3 to move", 3, false],
      ["Your turn", 0, true],
    ]);
  });

  test("does not tell the end before the last moves", () => {
    const { show, wording } = sit({ phase: "over", to_move: null });
    show.upTo = 3;
    expect([wording.turn, wording.phase]).toEqual(["River 3 to move", "playing"]);
    show.upTo = null;
    expect([wording.turn, wording.phase]).toEqual(["The game is over", "over"]);
  });
});

describe("the move of another player", () => {
  test("is told in words when it is shown, also if it scores nothing", () => {
    const { show, wording } = sit();
    show.latest = TURNS[1]!;
    expect(wording.played).toBe("River: addend 4 on e6, 0 points");
    show.latest = TURNS[2]!;
    expect(wording.played).toBe("River 2: total 1 on d5, 12 points");
    show.latest = null;
    expect(wording.played).toBeNull();
  });

  test("gives way to what the visitor does, and one\u2019s own needs no words", () => {
    const { session, show, wording } = sit();
    show.latest = TURNS[0]!;
    expect(wording.played).toBeNull();
    show.latest = TURNS[3]!;
    session.pick(0);
    expect(wording.played).toBeNull();
    expect(wording.status).toBe("Now choose a square. Tap the tile to flip it.");
  });
});

test("a tile that is picked too early can be tried out", () => {
  const { session, wording } = sit({ to_move: 2 });
  session.pick(0);
  expect(wording.status).toBe("You can already try a move: choose a square. River 2 plays first.");
});
