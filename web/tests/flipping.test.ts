// @vitest-environment ./tests/client-environment.ts
/** A beginner is told of a missed flip until one has scored. */

import { beforeEach, afterEach, expect, test, vi } from "vitest";
import { boardOf } from "../src/rules/board";
import { parseMove } from "../src/rules/moves";
import { explain } from "../src/rules/scoring";
import { nameOf, SQUARES } from "../src/rules/squares";
import type { EventMessage } from "../src/protocol/messages";
import { scoringFlips } from "../src/play/flipping.svelte";
import { fakeBrowser, gameOfTwo, realBrowser } from "./fakes";

beforeEach(() => {
  vi.resetModules();
  fakeBrowser();
});
afterEach(realBrowser);

const CROWDED = "a3=1 b3+8 c3+2 d3+1 e3+4 f3+5 g3+2 e4+3 e5+1 h1=9 h2+2 h4+6 h5=3 h6+1 h7+2 h8+4 i3+5";
/** Figure 4, in the fifth row. */
const before = gameOfTwo({
  position: "........./........./........./........./264....../........./........./........./......... 0 ??,?? 0,0 63 standard",
});
const moved = (move: string, points: number, seat = 0) =>
  ({
    type: "event",
    seq: 3,
    at_ms: 0,
    event: { type: "moved", turn: 1, seat, move, points, timed_out: false },
  }) as unknown as EventMessage;
const fresh = async () => (await import("../src/play/flipping.svelte")).flipping;

test("the flips that score are those that the rules allow", () => {
  for (const [tiles, text] of [
    ["a1+2 b1+6 c1+4", "d1+2"],
    ["a3=1 b3+8 c3+2 d3+1 e3+4 f3+5 g3+2 e4+3 e5+1 h1=9 h2+2", "h3+7"],
    ["a1=2 c1+1 d1+6 e1+5", "b1+5"],
  ] as const) {
    const [cells, move] = [boardOf(tiles), parseMove(text)!];
    const legal = SQUARES.filter((flip) => cells[flip] !== "." && !explain(cells, { ...move, flips: [flip] }).refusal);
    const found = scoringFlips(cells, move, "standard");
    expect(found.map(({ square }) => nameOf(square)).sort()).toEqual(legal.map(nameOf).sort());
    for (const { square, points } of found) expect(points).toBe(explain(cells, { ...move, flips: [square] }).points);
  }
});

test("they are found in well under 8 ms on a crowded board", () => {
  const [cells, move] = [boardOf(CROWDED), parseMove("h3+7")!];
  const times = Array.from({ length: 50 }, () => {
    const start = performance.now();
    scoringFlips(cells, move, "standard");
    return performance.now() - start;
  }).sort((a, b) => a - b);
  expect(times[25]).toBeLessThan(8);
});

test("a missed flip is told once per table", async () => {
  const flipping = await fresh();
  expect(flipping.after(moved("d5+2", 0), before)).toEqual({ square: 36, digit: 2, points: 12 });
  expect(flipping.after(moved("d5+2", 0), before)).toBeNull();
  expect(flipping.after(moved("d5+2", 0), { ...before, table: "other" })).not.toBeNull();
});

test("nothing is said about others' moves, scoring moves, moves without such a flip, or with claims", async () => {
  const flipping = await fresh();
  expect(flipping.after(moved("d5+2", 0, 1), before)).toBeNull();
  expect(flipping.after(moved("d5+2", 9), before)).toBeNull();
  expect(flipping.after(moved("a4+9", 0), before)).toBeNull();
  const claims = { ...before, options: { ...before.options, scoring: "claims" as const } };
  expect(flipping.after(moved("d5+2", 0), claims)).toBeNull();
});

test("a flip that has scored is remembered on the device", async () => {
  const flipping = await fresh();
  flipping.after(moved("d5+2~a5", 12), before);
  expect(flipping.known).toBe(true);
  expect(flipping.after(moved("d5+2", 0), before)).toBeNull();
  vi.resetModules();
  expect((await fresh()).known).toBe(true);
});
