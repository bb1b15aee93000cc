// @vitest-environment ./tests/client-environment.ts
/** A tap that does nothing is explained by a sentence, until the next action. */

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { squareOf } from "../src/rules/squares";
import type { Snapshot } from "../src/protocol/messages";
import { TableSession } from "../src/play/session.svelte";
import { TapNotes, inHand } from "../src/play/taps.svelte";
import { Wording } from "../src/play/wording.svelte";
import { FakeSocket, fakeBrowser, gameOfTwo, realBrowser } from "./fakes";

beforeEach(() => void fakeBrowser());
afterEach(realBrowser);

const at = (name: string): number => squareOf(name)!;

function sit(table: Snapshot): { session: TableSession; tap: (name: string) => string } {
  const session = new TableSession("t", () => {});
  FakeSocket.last.open();
  FakeSocket.last.welcome();
  FakeSocket.last.say({ type: "snapshot", snapshot: table });
  const wording = new Wording(session);
  return { session, tap: (name) => wording.tap(at(name)) };
}

describe("the sentence", () => {
  test("on my turn names what to do first", () => {
    const { session, tap } = sit(gameOfTwo());
    expect(tap("e4")).toBe("Pick one of your tiles first.");
    expect(tap("e3")).toBe("Place a tile first; then you may flip this 2.");
    session.pick(0);
    expect(tap("e3")).toBe("This square is taken. Choose a free one next to a tile.");
  });

  test.each<[string, Partial<Snapshot["now"]>, Partial<Snapshot["you"]>, string]>([
    ["when another is to move", { to_move: 1 }, {}, "Bo to move. Meanwhile you can pick a tile and try it out."],
    ["for a spectator", {}, { seat: null, seats: [], hand: null }, "You are watching."],
    ["while the game is paused", { paused: true }, {}, "The game is paused."],
    ["with an empty hand", {}, { hand: [] }, "You have no tiles left."],
    ["after the game", { phase: "over", to_move: null }, {}, "The game is over."],
    ["before the game", { phase: "waiting", to_move: null }, {}, "The game has not begun."],
    ["when the device is to be passed on", { to_move: 1 }, { seats: [0, 1] }, "Pass the device to Bo"],
  ])("%s", (_, now, you, sentence) => {
    const { tap } = sit(gameOfTwo(now, you));
    expect(tap("e4")).toBe(sentence);
  });
});

describe("a note", () => {
  function notes() {
    const said: string[] = [];
    const { session } = sit(gameOfTwo());
    const taps = new TapNotes(
      () => inHand(session),
      (text) => said.push(text),
    );
    return { session, taps, said };
  }

  test("is shown at its square and said", () => {
    const { taps, said } = notes();
    taps.show(at("e4"), "No.");
    expect(taps.note).toEqual({ square: at("e4"), text: "No.", tone: "calm" });
    expect(said).toEqual(["No."]);
  });

  test("disappears after some seconds, with the next action, and when somebody moves", () => {
    const { session, taps } = notes();
    taps.show(at("e4"), "No.");
    vi.advanceTimersByTime(5_000);
    expect(taps.note).toBeNull();
    taps.show(at("e4"), "No.");
    session.pick(0);
    expect(taps.note).toBeNull();
    taps.show(at("e4"), "No.");
    taps.moved();
    expect(taps.note).toBeNull();
  });

  test("that lasts stays while others move, for longer", () => {
    const { taps } = notes();
    taps.show(at("e4"), "A long sentence.", true);
    taps.moved();
    vi.advanceTimersByTime(8_000);
    expect(taps.note).not.toBeNull();
    vi.advanceTimersByTime(8_000);
    expect(taps.note).toBeNull();
  });
});
