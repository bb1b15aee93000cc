// @vitest-environment ./tests/client-environment.ts
/** The guide of a first game comments the first turns, and can be dismissed and ended. */

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parseMove, writeMove } from "../src/rules/moves";
import { nameOf } from "../src/rules/squares";
import type { Snapshot, Turn } from "../src/protocol/messages";
import { Guide, bestPlacement } from "../src/table/guide.svelte";
import { TableSession } from "../src/table/session.svelte";
import { Wording } from "../src/table/wording.svelte";
import { FakeSocket, fakeBrowser, gameOfTwo, realBrowser } from "./fakes";

beforeEach(() => void fakeBrowser());
afterEach(realBrowser);

/** e5=6, g5+8 and e7+4: with 5 and 2 in hand, e6+2 makes 6. */
const HAND = [5, 2];
const turn = (seat: number) =>
  ({ seat, move: "e6+2", points: 6, kakuros: [], objections: [], timed_out: false }) as unknown as Turn;

function guided(made = 0, now: Partial<Snapshot["now"]> = {}, you: Partial<Snapshot["you"]> = {}) {
  const session = new TableSession("t", () => {});
  FakeSocket.last.open();
  FakeSocket.last.welcome();
  const turns = Array.from({ length: made }, () => [turn(0), turn(1)]).flat();
  FakeSocket.last.say({ type: "snapshot", snapshot: { ...gameOfTwo(now, { hand: HAND, ...you }), turns } });
  return { session, guide: new Guide(session, new Wording(session)) };
}

describe("the first turn", () => {
  test("leads from the total to Play", () => {
    const { session, guide } = guided();
    expect(guide.comment).toMatchObject({ step: "total", index: 1 });
    expect(guide.comment!.text).toContain("The red 6 is a total: the yellow tiles after it must add up to 6 or 16. Pick your 2.");
    expect(guide.comment!.squares.map(nameOf)).toEqual(["e5", "e7"]);
    session.pick(0);
    expect(guide.comment!.step, "the other tile").toBe("total");
    session.pick(1);
    expect(guide.comment!.text).toBe("2 + 4 = 6: that ends in 6. Tap the marked square.");
    expect(guide.comment!.squares.map(nameOf)).toEqual(["e6"]);
    session.turnOver();
    expect(guide.comment!.step).toBe("yellow");
    session.turnOver();
    session.layMove(parseMove("d5+2")!);
    expect(guide.comment!.step).toBe("elsewhere");
    session.layMove(parseMove("e6+2")!);
    expect(guide.comment!.text).toBe("A Kakuro: 2 + 4 = 6. It scores its sum. Press Play.");
  });

  test("praises any other Kakuro as well", () => {
    const { session, guide } = guided(0, {}, { hand: [2, 8] });
    session.layMove(parseMove("f5+8")!);
    expect(guide.comment!.step, "8 + 8 repeats").toBe("total");
    session.layMove(parseMove("e6+2")!);
    expect(guide.comment!.step).toBe("play");
  });
});

test("is hidden by a hint, also while it is requested", () => {
  const { session, guide } = guided();
  session.askHint();
  expect(session.hinting).toBe(true);
  expect(guide.comment).toBeNull();
});

test("the placement that scores most is found, or none", () => {
  const cells = guided().session.cells;
  expect(writeMove(bestPlacement(cells, HAND)!.move)).toBe("e6+2");
  expect(bestPlacement(cells, [1])).toBeNull();
});

describe("later turns", () => {
  test("each have one comment until a tile is picked, and then there are no more", () => {
    const texts = [1, 2, 3, 4].map((made) => guided(made).guide.comment!.text);
    expect(new Set(texts).size).toBe(4);
    expect(texts[1]).toContain("flip");
    expect(guided(5).guide.comment).toBeNull();
    const { session, guide } = guided(2);
    session.pick(0);
    expect(guide.comment).toBeNull();
  });

  /** a1+2 b1+6 c1+4: in front of 6 4, or with d1+2 and a1 flipped. */
  const ROW = "264....../........./........./........./........./........./........./........./......... 0 27,?? 0,0 59 standard";

  test("point at a total that scores until it is laid", () => {
    const { session, guide } = guided(1, { position: ROW.replace("264", ".64") }, { hand: [7, 9] });
    expect(guide.comment, "neither tile fits").toMatchObject({ step: "sides", squares: [], index: null });
    const fits = guided(1, { position: ROW.replace("264", ".54") }, { hand: [7, 9] });
    expect(fits.guide.comment!.squares.map(nameOf)).toEqual(["a1"]);
    expect(fits.guide.comment!.index).toBe(1);
    fits.session.pick(1);
    fits.session.turnOver();
    expect(fits.guide.comment!.squares.map(nameOf)).toEqual(["a1"]);
    fits.session.layMove(parseMove("a1=9")!);
    expect(fits.guide.comment).toBeNull();
    session.pick(0);
    expect(guide.comment).toBeNull();
  });

  test("point at a flip that scores, step by step", () => {
    const { session, guide } = guided(2, { position: ROW }, { hand: [9, 2] });
    expect(guide.comment!.squares.map(nameOf)).toEqual(["d1", "a1"]);
    expect(guide.comment!.index).toBe(1);
    session.layMove(parseMove("a2+9")!);
    expect(guide.comment, "something else is tried").toBeNull();
    session.layMove(parseMove("d1+2")!);
    expect(guide.comment!.squares.map(nameOf)).toEqual(["a1"]);
    session.layMove(parseMove("d1+2~a1")!);
    expect(guide.comment).toBeNull();
  });

  test("only the last comment is not followed by another", () => {
    expect([0, 1, 2, 3, 4].map((made) => guided(made).guide.comment!.last)).toEqual([false, false, false, false, true]);
  });

  test("the bag is explained during the opponent's turn", () => {
    expect(guided(1, { to_move: 1 }).guide.comment!.text).toContain("you draw a new tile from the bag. Bo to move.");
    expect(guided(2, { to_move: 1 }).guide.comment).toBeNull();
  });
});

describe("the visitor", () => {
  test("dismisses a comment, also after a reload, and sees the next", () => {
    guided(3).guide.dismiss();
    expect(guided(3).guide.comment).toBeNull();
    expect(guided(4).guide.comment!.step).toBe("bye");
  });

  test("is given tasks in the first turn only", () => {
    expect([0, 1, 2, 3, 4].map((made) => guided(made).guide.comment!.task)).toEqual([true, false, false, false, false]);
  });

  test("ends the guide by dismissing the last comment", () => {
    guided(4).guide.dismiss();
    expect([0, 4].map((made) => guided(made).guide.comment)).toEqual([null, null]);
  });

  test("ends the guide for this table, also after a reload", () => {
    guided().guide.end();
    expect(guided().guide.comment).toBeNull();
    expect(guided(3).guide.comment).toBeNull();
  });

  test("sees no comments as a spectator and after the game", () => {
    expect(guided(0, {}, { seat: null, hand: null }).guide.comment).toBeNull();
    expect(guided(0, { phase: "over", to_move: null }).guide.comment).toBeNull();
  });
});
