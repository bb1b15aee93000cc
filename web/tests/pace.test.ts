// @vitest-environment ./tests/client-environment.ts
/** Moves are shown one after the other, each long enough to be read, or all at once when a tile is picked. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Pace } from "../src/lib/settings.svelte";
import type { TableEvent } from "../src/protocol/messages";
import { Pacer, shownMs } from "../src/play/pace.svelte";
import type { Show } from "../src/play/show.svelte";
import { fakeBrowser, gameOfTwo, realBrowser } from "./fakes";

let browser: ReturnType<typeof fakeBrowser>;
let motion: Record<string, string>;
beforeEach(() => {
  browser = fakeBrowser();
  motion = { motion: "on" };
  Object.assign(browser.document, { documentElement: { dataset: motion } });
  Object.assign(browser.window, { clearTimeout });
});
afterEach(realBrowser);

function watch(pace: Pace = "normal", patient = () => true) {
  const show = { upTo: null } as Show;
  const told: string[] = [];
  const pacer = new Pacer(
    show,
    ({ message: { event } }) => told.push(event.type === "moved" ? event.move : event.type),
    () => pace,
    patient,
  );
  let turn = 0;
  const happen = (event: TableEvent) => {
    const message = { type: "event", seq: 1, at_ms: 0, event, now: gameOfTwo().now } as const;
    pacer.push({ message, before: gameOfTwo(), scores: [], myTurn: false });
  };
  const move = (seat: number, move: string, points = 0) =>
    happen({
      type: "moved",
      turn: turn++,
      seat,
      move,
      points,
      kakuros: [],
      claim: null,
      objections: [],
      timed_out: false,
    } as never);
  return { show, told, pacer, move, happen };
}

test("three bots in a row show each sum long enough to read it", () => {
  const { told, show, move } = watch();
  move(1, "a1+1", 12);
  move(1, "b1+2");
  move(1, "c1+3", 9);
  expect(told).toEqual(["a1+1"]);
  expect(show.upTo, "the table knows three turns, the screen shows one").toBe(1);
  vi.advanceTimersByTime(2_199);
  expect(told).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(told).toEqual(["a1+1", "b1+2"]);
  vi.advanceTimersByTime(1_200);
  expect(told).toEqual(["a1+1", "b1+2", "c1+3"]);
  expect(show.upTo).toBeNull();
});

test("a move that comes later is shown as soon as the one before has been seen", () => {
  const { told, move } = watch("slow");
  move(1, "a1+1", 12);
  vi.advanceTimersByTime(3_000);
  move(1, "b1+2");
  expect(told).toHaveLength(1);
  vi.advanceTimersByTime(200);
  expect(told).toHaveLength(2);
  vi.advanceTimersByTime(5_000);
  move(1, "c1+3");
  expect(told, "nothing is on the screen any more").toHaveLength(3);
});

test("picking a tile shows everything at once, in order", () => {
  const { told, show, pacer, move } = watch();
  ["a1+1", "b1+2", "c1+3"].forEach((each) => move(1, each, 5));
  pacer.hurry();
  expect(told).toEqual(["a1+1", "b1+2", "c1+3"]);
  expect(show.upTo).toBeNull();
  vi.advanceTimersByTime(10_000);
  expect(told, "and nothing twice").toHaveLength(3);
});

test("an own move is shown at once, after everything that waited", () => {
  const { told, move } = watch();
  move(1, "a1+1", 5);
  move(1, "b1+2", 5);
  move(0, "c1+3", 5);
  expect(told).toEqual(["a1+1", "b1+2", "c1+3"]);
  move(1, "d1+4", 5);
  vi.advanceTimersByTime(2_199);
  expect(told, "its sum stays as long as that of a bot").toHaveLength(3);
  vi.advanceTimersByTime(1);
  expect(told).toHaveLength(4);
});

test("an own move that scores nothing is followed soon", () => {
  const { told, move } = watch();
  move(0, "a1+1");
  move(1, "b1+2", 5);
  vi.advanceTimersByTime(700);
  expect(told).toHaveLength(2);
});

test("nothing waits while a tile is in hand", () => {
  const { told, move } = watch("slow", () => false);
  move(1, "a1+1", 5);
  move(1, "b1+2", 5);
  expect(told).toHaveLength(2);
});

test("a hidden tab does not queue up", () => {
  const { told, move } = watch();
  move(1, "a1+1", 5);
  move(1, "b1+2", 5);
  browser.document.hidden = true;
  browser.document.dispatchEvent(new Event("visibilitychange"));
  move(1, "c1+3", 5);
  expect(told).toHaveLength(3);
});

test("the end waits for the last moves, an objection does not", () => {
  const { told, move, happen } = watch();
  move(1, "a1+1", 5);
  move(1, "b1+2", 5);
  happen({ type: "ended" } as never);
  expect(told).toEqual(["a1+1"]);
  vi.advanceTimersByTime(4_400);
  expect(told).toEqual(["a1+1", "b1+2", "ended"]);
  move(1, "c1+3", 5);
  move(1, "d1+4", 5);
  happen({ type: "objected" } as never);
  expect(told.slice(3)).toEqual(["c1+3", "d1+4", "objected"]);
});

test("quick is as fast as the animation, and without animation does not wait", () => {
  expect(shownMs("quick", 5)).toBeLessThan(shownMs("normal", 0) + 1);
  motion.motion = "reduced";
  expect(shownMs("quick", 5)).toBe(0);
  expect(shownMs("normal", 5), "reading takes as long without animation").toBe(2_200);
});

test("a player who resigns sees the end at once", () => {
  const { told, move, happen } = watch();
  move(1, "a1+1", 5);
  move(1, "b1+2", 5);
  happen({ type: "resigned", seat: 0 } as never);
  happen({ type: "ended" } as never);
  expect(told).toEqual(["a1+1", "b1+2", "resigned", "ended"]);
});
