// @vitest-environment ./tests/client-environment.ts
/** A hint gives its reasons, and only true ones. */

import { afterEach, beforeEach, expect, test } from "vitest";
import type { Hint } from "../src/protocol/messages";
import { nextStep } from "../src/play/hint";
import { parseMove } from "../src/rules/moves";
import { TableSession } from "../src/play/session.svelte";
import { Wording } from "../src/play/wording.svelte";
import { FakeSocket, fakeBrowser, gameOfTwo, realBrowser } from "./fakes";

beforeEach(() => void fakeBrowser());
afterEach(realBrowser);

const PLACED = "Your 5, yellow side up, on e4.";

function ask(hint: Partial<Hint>, players = 2): TableSession {
  const session = new TableSession("t", () => {});
  FakeSocket.last.open();
  FakeSocket.last.welcome();
  const table = gameOfTwo();
  const chairs = [...table.chairs, { ...table.chairs[1]!, name: "Cleo", person: "cleo" }].slice(0, players);
  FakeSocket.last.say({ type: "snapshot", snapshot: { ...table, chairs } });
  session.askHint();
  const { id } = FakeSocket.last.of("hint")[0]!;
  const whole = { turn: 0, step: 3, square: "e4", tile: "+5", move: "e4+5", points: 0, most: 0, looked_ahead: true };
  FakeSocket.last.say({ type: "hint", id, hint: { ...whole, ...hint } });
  return session;
}

const hinted = (hint: Partial<Hint>, players = 2): string => new Wording(ask(hint, players)).status;

test("when nothing scores, looking ahead is the reason", () => {
  expect(hinted({})).toBe(`${PLACED} No move scores now. Looking ahead, this concedes least to Bo.`);
  expect(hinted({}, 3)).toBe(`${PLACED} No move scores now. Looking ahead, this concedes least to the others.`);
});

test("that nothing scores is said from the first step on", () => {
  const first = { step: 1, tile: null, move: null, points: null, looked_ahead: null };
  expect(hinted(first)).toBe("No move scores now. Look at e4.");
  expect(hinted({ ...first, step: 2, tile: "+5" })).toBe(`No move scores now. ${PLACED}`);
  expect(hinted({ ...first, most: null })).toBe("Look at e4.");
});

test("a greedy hint does not claim to look ahead", () => {
  expect(hinted({ looked_ahead: false })).toBe(`${PLACED} No move scores now.`);
  expect(hinted({ looked_ahead: false, most: 9 })).toBe(`${PLACED} That scores 0 points.`);
});

test("a move that scores less than another says that it is better later", () => {
  expect(hinted({ points: 7, most: 12 })).toBe(
    `${PLACED} That scores 7 points. Another move scores 12 points now, but looking ahead this one is better.`,
  );
});

test("a move that scores most needs no other reason", () => {
  expect(hinted({ points: 12, most: 12 })).toBe(`${PLACED} That scores 12 points.`);
  expect(hinted({ step: 2, move: null, points: null, most: null, looked_ahead: null })).toBe(PLACED);
});

test("after the last step the button rests: it never takes the tile back", () => {
  const session = ask({});
  const next = nextStep(session, null);
  expect(next.do).toBe("lay");
  if (next.do === "lay") session.layMove(next.move);
  expect(nextStep(session, null).do).toBe("rest");
  expect(FakeSocket.last.of("hint"), "nothing more is requested").toHaveLength(1);
  session.turnOver();
  expect(nextStep(session, null).do, "with the other side up it can be laid out again").toBe("lay");
  session.takeBack();
  expect(nextStep(session, null).do).toBe("lay");
});

test("before that, each step leads to the next", () => {
  const session = ask({ step: 1, tile: null, move: null, points: null });
  expect(nextStep(session, null).do).toBe("more");
  session.askHint();
  expect(nextStep(session, null).do).toBe("wait");
  const other = ask({});
  other.layMove(parseMove("e6+7")!);
  expect(nextStep(other, null).do, "for another tentative move").toBe("ask");
});
