// @vitest-environment ./tests/client-environment.ts
/** Taps, keys and drags are equals: each can pick, lay, flip, play and put back a tile. */

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { parseMove } from "../src/rules/moves";
import { nameOf, squareOf } from "../src/rules/squares";
import { Handling } from "../src/play/handling.svelte";
import { TableSession } from "../src/play/session.svelte";
import { FakeSocket, fakeBrowser, gameOfTwo, realBrowser } from "./fakes";

const settings = vi.hoisted(() => ({ confirm: true }));
vi.mock("../src/lib/sound", () => ({ sound: () => {} }));
vi.mock("../src/lib/settings.svelte", () => ({ settings }));
beforeEach(() => {
  settings.confirm = true;
  fakeBrowser();
});
afterEach(realBrowser);

const at = (name: string): number => squareOf(name)!;
const played = () => FakeSocket.last.of("do").map(({ command }) => command.type === "play" && command.move);

/** The squares whose taps have done nothing. */
let vain: string[] = [];
beforeEach(() => (vain = []));

/** Ann holds 5 and 7 and is to move. */
function handle(scoring: "automatic" | "claims" = "automatic"): { session: TableSession; handling: Handling } {
  const session = new TableSession("t", () => {});
  FakeSocket.last.open();
  FakeSocket.last.welcome();
  const table = gameOfTwo();
  FakeSocket.last.say({ type: "snapshot", snapshot: { ...table, options: { ...table.options, scoring } } });
  return { session, handling: new Handling(session, (square) => vain.push(nameOf(square))) };
}

describe("taps", () => {
  test("lay a tile, flip it, flip another with it, and undo that", () => {
    const { session, handling } = handle();
    session.pick(0);
    handling.press(at("e4"));
    expect(session.written()).toBe("e4+5");
    handling.press(at("e4"));
    expect(session.written()).toBe("e4=5");
    handling.press(at("e3"));
    expect(session.written()).toBe("e4=5~e3");
    handling.press(at("e3"));
    expect(session.written()).toBe("e4=5");
    handling.press(at("d4"));
    expect(session.written(), "a tap elsewhere moves it").toBe("d4=5");
  });

  test("do nothing without a tile, and say so", () => {
    const { session, handling } = handle();
    handling.press(at("e4"));
    handling.press(at("e3"));
    session.pick(0);
    handling.press(at("e5"));
    expect(session.laid).toBeNull();
    expect(vain).toEqual(["e4", "e3", "e5"]);
  });

  test("change nothing while the move is being sent", () => {
    const { session, handling } = handle();
    session.layMove(parseMove("e4+5")!);
    session.play();
    for (const name of ["e4", "e3", "d4"]) handling.press(at(name));
    expect(session.written()).toBe("e4+5");
    expect(vain).toEqual(["e4", "e3", "d4"]);
  });
});

describe("without confirmation", () => {
  test("a second tap on the tile plays it, but a double tap does not", () => {
    settings.confirm = false;
    const { session, handling } = handle();
    session.pick(0);
    handling.press(at("e4"));
    handling.press(at("e4"));
    expect(played(), "the second half of a double tap").toEqual([]);
    vi.advanceTimersByTime(500);
    handling.press(at("e3"));
    handling.press(at("e4"));
    expect(played()).toEqual(["e4+5~e3"]);
  });

  test("a claim still has to be entered", () => {
    settings.confirm = false;
    const { session, handling } = handle("claims");
    session.pick(0);
    handling.press(at("e4"));
    vi.advanceTimersByTime(500);
    handling.press(at("e4"));
    expect(played()).toEqual([]);
    expect(session.written()).toBe("e4=5");
  });
});

describe("keys", () => {
  test("a whole move: pick, flip in hand, lay, flip on the board, play", () => {
    const { session, handling } = handle();
    for (const [key, square] of [
      ["2", "e5"],
      ["f", "e5"],
      ["Enter", "e4"],
      ["f", "e3"],
    ] as const) {
      expect(handling.key(key, at(square)), key).toBe(true);
    }
    expect(session.written()).toBe("e4=7~e3");
    handling.key("F", at("a1"));
    expect(session.written(), "beside the tiles, f turns the one that is laid").toBe("e4+7~e3");
    handling.key("Enter", at("e3"));
    expect(played()).toEqual(["e4+7~e3"]);
  });

  test("Enter on another square moves the tile, and Space never plays", () => {
    const { session, handling } = handle();
    session.layMove(parseMove("e4+5")!);
    handling.key("Enter", at("d4"));
    expect(session.written()).toBe("d4+5");
    handling.key(" ", at("d4"));
    expect(session.written()).toBe("d4=5");
    expect(played()).toEqual([]);
  });

  test("Enter alone does not play if points are claimed", () => {
    const { session, handling } = handle("claims");
    session.layMove(parseMove("e4+5")!);
    handling.key("Enter", at("e4"));
    expect(played()).toEqual([]);
    expect(session.written()).toBe("e4+5");
  });

  test("Escape puts everything back", () => {
    const { session, handling } = handle();
    session.layMove(parseMove("e4+5")!);
    handling.key("Escape", at("e4"));
    expect([session.laid, session.picked]).toEqual([null, null]);
  });

  test("a tile that is not there is not picked up, and other keys are left to the board", () => {
    const { session, handling } = handle();
    FakeSocket.last.say({ type: "snapshot", snapshot: gameOfTwo({}, { hand: [5] }) });
    handling.key("2", at("e4"));
    expect(session.picked).toBeNull();
    expect(handling.key("r", at("e4"))).toBe(false);
    expect(handling.key("3", at("e4"))).toBe(false);
  });
});

describe("drags", () => {
  test("from the hand to a square; the tile follows the pointer", () => {
    const { session, handling } = handle();
    const drag = handling.fromHand(1);
    drag.onstart();
    drag.onmove({ x: 3, y: 4 }, null);
    expect([session.picked, handling.dragged]).toEqual([1, { digit: 7, x: 3, y: 4 }]);
    drag.ondrop(at("e4"));
    expect([session.written(), handling.dragged]).toEqual(["e4+7", null]);
  });

  test("a tile that is picked up keeps its side", () => {
    const { session, handling } = handle();
    session.pick(1);
    session.turnOver();
    const drag = handling.fromHand(1);
    drag.onstart();
    drag.ondrop(at("e4"));
    expect(session.written()).toBe("e4=7");
  });

  test("another tile takes the place of the one that lies there", () => {
    const { session, handling } = handle();
    session.layMove(parseMove("e4+5")!);
    const drag = handling.fromHand(1);
    drag.onstart();
    expect(session.laid).toBeNull();
    drag.ondrop(at("d4"));
    expect(session.written()).toBe("d4+7");
  });

  test("from square to square, with its side and its flips", () => {
    const { session, handling } = handle();
    session.layMove(parseMove("e4=5~e3")!);
    handling.fromBoard.onstart();
    handling.fromBoard.onmove({ x: 1, y: 2 }, at("e2"));
    expect(handling.dragged).toEqual({ digit: 5, x: 1, y: 2 });
    handling.fromBoard.ondrop(at("e2"));
    expect(session.written()).toBe("e2=5~e3");
  });

  test("a laid tile that is let go beside the board goes back to the hand", () => {
    const { session, handling } = handle();
    session.layMove(parseMove("e4+5")!);
    handling.fromBoard.ondrop(null);
    expect([session.laid, session.picked, vain]).toEqual([null, null, []]);
  });

  test("a laid tile that is let go on another tile stays picked for a free square", () => {
    const { session, handling } = handle();
    session.layMove(parseMove("e4+5")!);
    handling.fromBoard.ondrop(at("e5"));
    expect([session.laid, session.picked, vain]).toEqual([null, 0, ["e5"]]);
  });

  test("one that is cancelled leaves everything as it was", () => {
    const { session, handling } = handle();
    session.layMove(parseMove("e4+5")!);
    handling.fromBoard.onmove({ x: 1, y: 2 }, null);
    handling.fromBoard.oncancel();
    expect([session.written(), handling.dragged]).toEqual(["e4+5", null]);
  });
});
