// @vitest-environment ./tests/client-environment.ts
/** The guide of a first game comments the first turns, and can be dismissed and ended. */

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { parseMove, writeMove } from "../src/rules/moves";
import { nameOf, squareOf } from "../src/rules/squares";
import type { Snapshot, Turn } from "../src/protocol/messages";
import { Guide, bestPlacement } from "../src/play/guide.svelte";
import { BoardView } from "../src/play/boardview.svelte";
import type { Handling } from "../src/play/handling.svelte";
import { nextStep } from "../src/play/hint";
import { Past } from "../src/play/past.svelte";
import { TableSession } from "../src/play/session.svelte";
import { Show } from "../src/play/show.svelte";
import type { TapNotes } from "../src/play/taps.svelte";
import { Wording } from "../src/play/wording.svelte";
import { FakeSocket, fakeBrowser, gameOfTwo, realBrowser } from "./fakes";

vi.mock("../src/lib/sound", () => ({ sound: () => {} }));
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
  const show = new Show();
  return { session, show, guide: new Guide(session, new Wording(session, show)) };
}

describe("the first turn", () => {
  test("leads from the total to Play", () => {
    const { session, guide } = guided();
    expect(guide.comment).toMatchObject({ step: "total", index: 1 });
    expect(guide.comment!.text).toContain(
      "The red 6 is a total: the yellow tiles after it must add up to a number that ends in 6, so 6 or 16. Pick your 2.",
    );
    expect(guide.comment!.squares.map(nameOf)).toEqual(["e5", "e7"]);
    session.pick(0);
    expect(guide.comment!.step, "the other tile").toBe("total");
    session.pick(1);
    expect(guide.comment!.text).toBe("2 + 4 = 6, just what the red 6 asks for. Tap the marked square.");
    expect(guide.comment!.squares.map(nameOf)).toEqual(["e6"]);
    session.turnOver();
    expect(guide.comment!.step).toBe("yellow");
    session.turnOver();
    session.layMove(parseMove("d5+2")!);
    expect(guide.comment!.step).toBe("elsewhere");
    session.layMove(parseMove("e6+2")!);
    expect(guide.comment!.text).toBe(
      "2 + 4 = 6: a sum that fits its total is called a Kakuro, and scores that many points. Press Play.",
    );
  });

  test("praises any other Kakuro as well", () => {
    const { session, guide } = guided(0, {}, { hand: [2, 8] });
    session.layMove(parseMove("f5+8")!);
    expect(guide.comment!.step, "8 + 8 repeats").toBe("total");
    session.layMove(parseMove("e6+2")!);
    expect(guide.comment!.step).toBe("play");
  });
});

test("a note is hidden by a hint, also while the hint is requested", () => {
  const { session, guide } = guided(1, {}, { hand: [1, 1] });
  expect(guide.comment!.step).toBe("bag");
  session.askHint();
  expect(session.hinting).toBe(true);
  expect(guide.comment).toBeNull();
});

describe("a hint in a guided turn", () => {
  const step = ({ session, guide }: ReturnType<typeof guided>) => nextStep(session, guide.comment?.move ?? null);

  test("is the move that the guide asks for", () => {
    const table = guided();
    const { session, guide } = table;
    const lay = step(table);
    expect(lay.do === "lay" && writeMove(lay.move)).toBe("e6+2");
    session.layMove(parseMove("d5+2")!);
    expect(step(table).do, "the tile is elsewhere").toBe("lay");
    session.layMove(parseMove("e6+2")!);
    expect(step(table).do).toBe("rest");
    expect(guide.comment!.step).toBe("play");
  });

  test("includes the flip of its lesson", () => {
    const lay = step(guided(1, { position: ROW }, { hand: [9, 2] }));
    expect(lay.do === "lay" && writeMove(lay.move)).toBe("d1+2~a1");
  });

  test("does not hide the guide if it was requested before the guide was there", () => {
    const { session, guide } = guided();
    session.askHint();
    expect(guide.comment!.step).toBe("total");
  });

  test("rests when another Kakuro is laid out", () => {
    const table = guided(0, {}, { hand: [2, 7] });
    table.session.layMove(parseMove("e6+2")!);
    expect(step(table).do).toBe("rest");
  });
});

describe("a tile that was flipped on the board in vain", () => {
  test("is named in the first turn", () => {
    const { session, guide, show } = guided();
    session.layMove(parseMove("d5+2")!);
    session.flip(squareOf("e5")!);
    expect(guide.comment).toMatchObject({ task: true, squares: [squareOf("e5")] });
    expect(guide.comment!.text).toBe("You flipped the 6 on the board. Tap it again to flip it back.");
    session.place(squareOf("e6")!);
    expect(guide.comment!.step, "also on the marked square").toBe("unflip");
    const board = new BoardView(
      session,
      { dragged: null } as Handling,
      show,
      new Past(session),
      { note: null } as TapNotes,
      () => guide,
    );
    expect(board.state.note, "the reason would cover the tile").toBeNull();
    guide.end();
    expect(board.state.note).not.toBeNull();
  });

  test("leads on to Play when it is flipped back", () => {
    const { session, guide } = guided();
    session.layMove(parseMove("e6+2~e5")!);
    expect(guide.comment!.step).toBe("unflip");
    session.flip(squareOf("e5")!);
    expect(guide.comment!.step).toBe("play");
  });

  test("gives way to the tile that the lesson is about", () => {
    const { session, guide } = guided(1, { position: ROW }, { hand: [9, 2] });
    session.layMove(parseMove("d1+2~c1")!);
    expect(session.preview!.refusal).not.toBeNull();
    expect(guide.comment!.squares.map(nameOf)).toEqual(["a1"]);
    session.layMove(parseMove("d2+2~c1")!);
    expect(guide.comment!.text, "elsewhere").toContain("Tap it again to flip it back");
  });
});

test("waits until the move of the other player has been shown and told", () => {
  const { session, guide, show } = guided(1, {}, { hand: [1, 1] });
  show.upTo = 1;
  expect(guide.comment!.text).toContain("Bo to move");
  Object.assign(show, { upTo: null, latest: session.table!.turns[1] });
  expect(guide.comment).toBeNull();
  show.latest = null;
  expect(guide.comment!.step).toBe("bag");
});

test("the placement that scores most is found, or none", () => {
  const cells = guided().session.cells;
  expect(writeMove(bestPlacement(cells, HAND)!.move)).toBe("e6+2");
  expect(bestPlacement(cells, [1])).toBeNull();
});

/** A turn on the screen: its comment is noted, as the page does. */
function shown(...game: Parameters<typeof guided>) {
  const found = guided(...game);
  if (found.guide.comment) found.guide.note(found.guide.comment);
  return found;
}

/** a1+2 b1+6 c1+4: a1 can be flipped with d1+2. */
const ROW = "264....../........./........./........./........./........./........./........./......... 0 27,?? 0,0 59 standard";

describe("the lesson on totals", () => {
  const position = ROW.replace("264", ".54");

  test("leads from the hand to Play, and stays until then", () => {
    const { session, guide } = guided(1, { position }, { hand: [7, 9] });
    expect(guide.comment).toMatchObject({ step: "sides", index: 1, task: true });
    expect(guide.comment!.text).toContain("Pick your 9.");
    expect(guide.comment!.squares.map(nameOf)).toEqual(["a1"]);
    session.pick(1);
    expect(guide.comment).toMatchObject({ text: "Tap it again: that flips it to red.", task: true });
    session.turnOver();
    expect(guide.comment!.text).toBe("5 + 4 = 9. Tap the marked square, in front of the yellow tiles.");
    session.layMove(parseMove("d1=9")!);
    expect(guide.comment!.text).toContain("Tap the marked square instead.");
    session.layMove(parseMove("a1=9")!);
    expect(guide.comment!.text).toBe(
      "5 + 4 = 9: a sum that fits its total is called a Kakuro, and scores that many points. Press Play.",
    );
  });

  test("waits for a turn in which a total scores", () => {
    expect(guided(1, { position }, { hand: [7, 8] }).guide.comment!.step).toBe("bag");
    expect(guided(3, { position }, { hand: [7, 9] }).guide.comment!.step).toBe("sides");
  });
});

describe("the lesson on flips", () => {
  test("leads from the hand to the flip and to Play, and stays until then", () => {
    const { session, guide } = guided(1, { position: ROW }, { hand: [9, 2] });
    expect(guide.comment).toMatchObject({ step: "flip", index: 1 });
    expect(guide.comment!.text).toContain("Place your 2 on the marked square.");
    expect(guide.comment!.squares.map(nameOf)).toEqual(["d1"]);
    session.pick(1);
    expect(guide.comment!.squares.map(nameOf)).toEqual(["d1"]);
    session.layMove(parseMove("d1=2")!);
    expect(guide.comment!.text).toContain("Here you need an addend");
    session.layMove(parseMove("d1+2")!);
    expect(guide.comment!.text).toContain("Now tap the marked 2 on the board to flip it.");
    expect(guide.comment!.squares.map(nameOf)).toEqual(["a1"]);
    session.layMove(parseMove("d1+2~a1")!);
    expect(guide.comment!.text).toBe(
      "6 + 4 + 2 = 12: a sum that fits its total is called a Kakuro, and scores that many points. Press Play.",
    );
  });
});

test("a lesson that is ignored is offered in two turns, then what comes next", () => {
  const again = () => [1, 2, 3].map((made) => shown(made, { position: ROW }, { hand: [9, 2] }).guide.comment!.step);
  expect(again()).toEqual(["flip", "flip", "bag"]);
});

describe("a note", () => {
  test("is told between the lessons, one comment in a turn", () => {
    expect(shown(1).guide.comment!.text).toContain("most points wins");
    expect(shown(2).guide.comment!.text).toContain("must all differ");
    expect(shown(3).guide.comment, "the lessons wait").toBeNull();
    expect(shown(6).guide.comment!.text).toContain("to flip it");
    expect(shown(7).guide.comment!.text).toContain("totals too");
    expect(shown(8).guide.comment).toMatchObject({ step: "bye", last: true });
    expect(shown(10).guide.comment).toBeNull();
  });

  test("is hidden while a tile is picked", () => {
    const { session, guide } = guided(1);
    session.pick(0);
    expect(guide.comment).toBeNull();
  });

  test("says during the opponent's turn what the bag is for", () => {
    expect(guided(1, { to_move: 1 }).guide.comment!.text).toContain("you draw a new tile from the bag. Bo to move.");
    expect(guided(2, { to_move: 1 }).guide.comment).toBeNull();
  });
});

describe("the visitor", () => {
  test("dismisses a comment, also after a reload, and sees the next", () => {
    guided(3).guide.dismiss();
    expect(guided(3).guide.comment!.step).toBe("differ");
  });

  test("ends the guide by dismissing the last comment", () => {
    ["bag", "differ", "flip", "sides"].forEach((step) => {
      const { guide } = guided(6);
      expect(guide.comment!.step).toBe(step);
      guide.dismiss();
    });
    guided(6).guide.dismiss();
    expect([0, 6].map((made) => guided(made).guide.comment)).toEqual([null, null]);
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
