// @vitest-environment ./tests/client-environment.ts
/** A visitor at a table: what is laid out, sent, hinted and shown, as the table's messages come and the connection goes. */

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { EventMessage, Hint, ServerMessage, Snapshot } from "../src/protocol/messages";
import { parseMove } from "../src/rules/moves";
import { squareOf } from "../src/rules/squares";
import { TableSession } from "../src/play/session.svelte";
import { FakeSocket, START, fakeBrowser, gameOfTwo, realBrowser } from "./fakes";

let browser: ReturnType<typeof fakeBrowser>;
let told: EventMessage[];

beforeEach(() => {
  browser = fakeBrowser();
  told = [];
});
afterEach(realBrowser);

const at = (name: string): number => squareOf(name)!;
const say = (message: ServerMessage): void => FakeSocket.last.say(message);
const show = (snapshot: Snapshot): void => say({ type: "snapshot", snapshot });
const commands = () => FakeSocket.last.of("do").map(({ command }) => command);

/** Somebody at a table, with the connection up. */
function arrive(snapshot = gameOfTwo()): TableSession {
  const session = new TableSession("t", (message) => told.push(message));
  FakeSocket.last.open();
  FakeSocket.last.welcome();
  show(snapshot);
  return session;
}

/** The first move as the table tells it; `hand` is what the viewer holds then. */
function moved(seat: number, move: string, position: string, hand = [5, 7]): EventMessage {
  const turn = { turn: 0, seat, move, points: 0, claim: null, timed_out: false, kakuros: [], objections: [] };
  const now = { ...gameOfTwo().now, turn: 1, to_move: 1 - seat, position };
  return { type: "event", seq: 3, at_ms: 0, event: { ...turn, type: "moved" }, now, hand };
}

const AFTER_E2 = START.replace("........./....2", "....5..../....2").replace(" 0 ??", " 1 ??");

describe("tiles", () => {
  test("a tile is picked up, laid, flipped, moved and taken back", () => {
    const session = arrive();
    session.pick(0);
    expect([session.picked, session.side]).toEqual([0, "+"]);
    session.turnOver();
    session.place(at("e4"));
    expect(session.written()).toBe("e4=5");
    session.turnOver();
    session.place(at("e2"));
    expect(session.written()).toBe("e2+5");
    expect(session.laidIndex).toBe(0);
    session.takeBack();
    expect(session.laid).toBeNull();
    expect(session.hand).toEqual([5, 7]);
  });

  test("a second press on a tile puts it down, and another tile begins with its addend", () => {
    const session = arrive();
    session.pick(0);
    session.turnOver();
    session.pick(1);
    expect([session.picked, session.side]).toEqual([1, "+"]);
    session.pick(1);
    expect(session.picked).toBeNull();
  });

  test("nothing is laid on a tile, or from an empty hand", () => {
    const session = arrive();
    session.place(at("e4"));
    expect(session.laid).toBeNull();
    session.pick(0);
    session.place(at("e5"));
    expect(session.laid).toBeNull();
  });

  test("a second flip replaces the first in the standard game and joins it in the expert game", () => {
    const flips = (variant: "standard" | "expert") => {
      const table = gameOfTwo();
      const session = arrive({ ...table, options: { ...table.options, variant } });
      session.pick(0);
      session.place(at("e4"));
      for (const name of ["e3", "e5"]) session.flip(at(name));
      const both = session.written();
      session.flip(at("e5"));
      const one = session.written();
      session.takeBack();
      return [both, one];
    };
    expect(flips("standard")).toEqual(["e4+5~e5", "e4+5"]);
    expect(flips("expert")).toEqual(["e4+5~e3~e5", "e4+5~e3"]);
  });

  test("a whole move is laid out only if its tile is there and its square is free", () => {
    const session = arrive();
    expect(session.layMove(parseMove("e4=7~e5")!)).toBe(true);
    expect([session.picked, session.side, session.written()]).toEqual([1, "=", "e4=7~e5"]);
    expect(session.layMove(parseMove("e4+6")!)).toBe(false);
    expect(session.layMove(parseMove("e5+5")!)).toBe(false);
  });
});

describe("playing", () => {
  const lay = (session: TableSession): void => void session.layMove(parseMove("e2+5")!);

  test("a move is sent once, for its turn, and the hand is free again after its event", () => {
    const session = arrive();
    lay(session);
    session.play();
    session.play();
    expect(commands()).toEqual([{ type: "play", seat: 0, turn: 0, move: "e2+5" }]);
    expect(session.sending).toBe(true);
    session.turnOver();
    expect(session.written(), "it is on its way and cannot be changed").toBe("e2+5");
    say({ type: "ack", id: FakeSocket.last.of("do")[0]!.id, seq: 3 });
    expect(session.sending, "an acknowledgement comes before the event").toBe(true);
    say(moved(0, "e2+5", AFTER_E2, [7, 9]));
    expect([session.sending, session.laid, session.picked]).toEqual([false, null, null]);
    expect(session.hand).toEqual([7, 9]);
    expect(told.map(({ seq }) => seq)).toEqual([3]);
  });

  test("a claim goes with its move", () => {
    const table = gameOfTwo();
    const session = arrive({ ...table, options: { ...table.options, scoring: "claims" } });
    expect(session.enterPlays).toBe(false);
    lay(session);
    session.play(13);
    expect(commands()).toEqual([{ type: "play", seat: 0, turn: 0, move: "e2+5", claim: 13 }]);
  });

  test.each([
    ["it is another's turn", gameOfTwo({ to_move: 1 })],
    ["the game is paused", gameOfTwo({ paused: true })],
  ])("nothing is sent while %s", (_, table) => {
    const session = arrive(table);
    lay(session);
    session.play();
    expect(commands()).toEqual([]);
    expect(session.sending).toBe(false);
  });

  test("a refused move stays on the board, and the reason is shown until something else is done", () => {
    const session = arrive();
    lay(session);
    session.play();
    const error = { code: "not_your_turn", params: {}, text: "" } as const;
    say({ type: "refused", id: FakeSocket.last.of("do")[0]!.id, error });
    expect([session.sending, session.refusal]).toEqual([false, error]);
    expect(session.written()).toBe("e2+5");
    session.flip(at("e5"));
    expect(session.refusal).toBeNull();
  });

  test("a move sent before the connection broke is resent and made once", () => {
    const session = arrive();
    lay(session);
    session.play();
    const [sent] = FakeSocket.last.of("do");
    FakeSocket.last.drop();
    expect(session.connectionState).toBe("lost");
    expect([session.sending, session.written()]).toEqual([true, "e2+5"]);
    vi.advanceTimersByTime(300);
    FakeSocket.last.open();
    expect(FakeSocket.last.of("hello")).toEqual([{ type: "hello", protocol: 1, since: 2, seat: 0 }]);
    FakeSocket.last.welcome(true);
    expect(FakeSocket.last.of("do")).toEqual([sent]);
    // The server had executed it, and sends the missed event.
    say(moved(0, "e2+5", AFTER_E2, [7, 9]));
    say({ type: "ack", id: sent!.id, seq: 3 });
    expect([session.sending, session.laid, session.connectionState]).toEqual([false, null, "open"]);
  });

  test("a known event is not announced again", () => {
    arrive();
    say(moved(0, "e2+5", AFTER_E2, [7, 9]));
    say(moved(0, "e2+5", AFTER_E2, [7, 9]));
    expect(told).toHaveLength(1);
  });
});

describe("a tile that is laid out while the table changes", () => {
  test("it stays when another moves elsewhere", () => {
    const session = arrive(gameOfTwo({ to_move: 1 }));
    session.layMove(parseMove("e4+7")!);
    say(moved(1, "e2+5", AFTER_E2));
    expect(session.written()).toBe("e4+7");
    expect(session.myTurn).toBe(true);
  });

  test("it goes back, with the reason, when its square is taken", () => {
    const session = arrive(gameOfTwo({ to_move: 1 }));
    session.layMove(parseMove("e2+7")!);
    say(moved(1, "e2+5", AFTER_E2));
    expect(session.laid).toBeNull();
    expect(session.refusal).toEqual({ code: "square_taken", params: { square: "e2" }, text: "" });
  });

  test("it goes back when the game is over", () => {
    const session = arrive();
    session.layMove(parseMove("e4+7")!);
    const now = { ...gameOfTwo().now, phase: "over" as const, to_move: null };
    say({ type: "event", seq: 3, at_ms: 0, event: { type: "resigned", seat: 1 }, now, hand: [5, 7] });
    expect([session.laid, session.picked]).toEqual([null, null]);
  });

  test("it comes back after a reload, in the same position and on the same seat alone", () => {
    arrive().layMove(parseMove("e4=7~e5")!);
    expect(arrive().written(), "the same").toBe("e4=7~e5");
    expect(arrive(gameOfTwo({}, { seat: 1 })).laid, "another seat").toBeNull();
    arrive().layMove(parseMove("e4=7~e5")!);
    expect(arrive(gameOfTwo({ position: AFTER_E2 })).laid, "another position").toBeNull();
    expect(browser.sessionStorage.size, "and what is of no use any more is forgotten").toBe(0);
  });

  test("one that was taken back does not come back", () => {
    const session = arrive();
    session.layMove(parseMove("e4+7")!);
    session.takeBack();
    expect(arrive().laid).toBeNull();
  });
});

describe("hints", () => {
  const HINT: Hint = { turn: 0, step: 1, square: "e4", tile: null, move: null, points: null, most: null, looked_ahead: null };
  const ask = () => FakeSocket.last.of("hint");
  const answer = (hint = HINT): void => say({ type: "hint", id: ask().at(-1)!.id, hint });

  test("two quick requests count as one; the next step is requested after the first", () => {
    const session = arrive();
    session.askHint();
    session.askHint();
    expect(ask().map(({ seat, step }) => [seat, step])).toEqual([[0, 1]]);
    expect(session.hinting).toBe(true);
    answer();
    expect([session.hinting, session.advice?.square]).toEqual([false, "e4"]);
    expect(session.hintedSquares).toEqual([at("e4")]);
    for (const step of [2, 3, 3]) {
      session.askHint();
      expect(ask().at(-1)!.step).toBe(step);
      answer({ ...HINT, step, tile: "+5" });
    }
    expect(session.hintedIndex).toBe(0);
  });

  test("a tile goes back to the hand for a hint", () => {
    const session = arrive();
    session.layMove(parseMove("e2+7")!);
    session.askHint();
    expect([session.laid, session.picked]).toEqual([null, null]);
  });

  test("a hint disappears when the position changes, and a pending one is ignored", () => {
    const session = arrive();
    session.askHint();
    answer();
    session.askHint();
    const { id } = ask().at(-1)!;
    say(moved(0, "e2+5", AFTER_E2, [7, 9]));
    expect([session.hint, session.hinting]).toEqual([null, false]);
    say({ type: "hint", id, hint: { ...HINT, step: 2 } });
    expect(session.hint).toBeNull();
  });

  test("a hint disappears when the game is over", () => {
    const session = arrive();
    session.askHint();
    answer();
    show(gameOfTwo({ phase: "over", to_move: null }));
    expect(session.hint).toBeNull();
  });

  test("a hint stays during chat, and while a tile is picked up and put back", () => {
    const session = arrive();
    session.askHint();
    answer();
    const { now } = gameOfTwo();
    say({ type: "event", seq: 3, at_ms: 0, event: { type: "said", person: "bo", name: "Bo", text: "Hm" }, now, hand: [5, 7] });
    session.pick(1);
    session.takeBack();
    session.pick(1);
    expect(session.advice?.square).toBe("e4");
  });

  test("a hint is hidden while a different move is laid out", () => {
    const session = arrive();
    session.askHint();
    answer({ ...HINT, step: 3, tile: "+5", move: "e4+5~e5", points: 7 });
    expect(session.hintedSquares).toEqual([at("e4"), at("e5")]);
    for (const [move, shown] of [
      ["e4+5", true],
      ["e4+5~e5", true],
      ["e4+5~e3", false],
      ["e2+5", false],
      ["e4+7", false],
    ] as const) {
      session.layMove(parseMove(move)!);
      expect(session.advice !== null, move).toBe(shown);
    }
    session.takeBack();
    session.picked = null;
    expect(session.advice).not.toBeNull();
  });

  test("a request that is pending when the connection breaks fails and can be repeated", () => {
    const session = arrive();
    session.askHint();
    FakeSocket.last.drop();
    vi.advanceTimersByTime(300);
    FakeSocket.last.open();
    FakeSocket.last.welcome(true);
    expect(session.hinting).toBe(false);
    session.askHint();
    expect(ask()).toHaveLength(1);
  });

  test("a request that could not be sent is not pending", () => {
    const session = arrive();
    FakeSocket.last.drop();
    session.askHint();
    expect(session.hinting).toBe(false);
  });

  test("a refused hint is no longer pending", () => {
    const session = arrive();
    session.askHint();
    const error = { code: "no_hints", params: {}, text: "" } as const;
    say({ type: "refused", id: ask()[0]!.id, error });
    expect([session.hinting, session.refusal]).toEqual([false, error]);
  });
});

describe("one device for several", () => {
  const shared = (changes: Partial<Snapshot["now"]> = {}, you: Partial<Snapshot["you"]> = {}) =>
    gameOfTwo(changes, { seats: [0, 1], seat: null, hand: null, ...you });

  test("the device is passed to the player to move, and no hand is known meanwhile", () => {
    const session = arrive(shared());
    expect(session.passTo).toBe(0);
    session.look(0);
    expect(FakeSocket.last.of("look")).toEqual([{ type: "look", seat: 0 }]);
    expect(session.hand).toEqual([]);
    show(shared({}, { seat: 0, hand: [5, 7] }));
    expect(session.passTo).toBeNull();
    session.layMove(parseMove("e2+5")!);
    say(moved(0, "e2+5", AFTER_E2, [7, 9]));
    expect([session.passTo, session.mySeat, session.table!.you.hand]).toEqual([1, null, null]);
    expect(FakeSocket.last.of("look").at(-1)).toEqual({ type: "look", seat: null });
  });

  test("the device is passed to the only player that is left after the other has resigned", () => {
    const session = arrive(shared({ to_move: 1 }, { seats: [1] }));
    expect(session.passTo).toBe(1);
    show(shared({ to_move: 1 }, { seats: [1], seat: 1, hand: [5, 7] }));
    expect(session.passTo).toBeNull();
  });

  test("the clock starts when the hand is shown: once, and for that turn", () => {
    arrive(shared({ awaiting_reveal: true }));
    expect(commands()).toEqual([]);
    show(shared({ awaiting_reveal: true }, { seat: 0, hand: [5, 7] }));
    show(shared({ awaiting_reveal: true }, { seat: 0, hand: [5, 7] }));
    expect(commands()).toEqual([{ type: "reveal", seat: 0, turn: 0 }]);
  });

  test("a refused late reveal is ignored", () => {
    const session = arrive(shared({ awaiting_reveal: true }, { seat: 0, hand: [5, 7] }));
    const { id } = FakeSocket.last.of("do")[0]!;
    say({ type: "refused", id, error: { code: "turn_passed", params: {}, text: "" } });
    expect(session.refusal).toBeNull();
  });
});

describe("opening and closing", () => {
  test("a closing reason is an error only before the table is shown", () => {
    const error = { code: "no_such_table", params: {}, text: "" } as const;
    const session = new TableSession("t", () => {});
    FakeSocket.last.open();
    say({ type: "bye", error });
    expect(session.trouble).toEqual(error);
    const other = arrive();
    say({ type: "bye", error });
    expect(other.trouble).toBeNull();
  });

  test("every welcome and heartbeat sets the server's clock", () => {
    const session = arrive();
    expect(session.clockSkewMs).toBe(0);
    say({ type: "pong", server_ms: Date.now() + 1_500 });
    expect(session.clockSkewMs).toBe(1_500);
  });

  test("a visitor who has just been given a name reloads the whole table", () => {
    const session = arrive();
    session.reconnect();
    expect(session.table).toBeNull();
    FakeSocket.last.open();
    expect(FakeSocket.last.of("hello")).toEqual([{ type: "hello", protocol: 1 }]);
  });

  test("a closed page closes its connection", () => {
    arrive().close();
    expect(FakeSocket.last.readyState).toBe(3);
  });
});
