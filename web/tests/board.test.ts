import { describe, expect, test } from "vitest";
import { TRACK_SPACES, trackPoint, walk } from "../src/board/geometry";
import { stepTo } from "../src/board/keys";
import { placeLabels, type Placed } from "../src/board/labels";
import { nameOf, squareOf } from "../src/rules/squares";

const squares = (names: string) => names.split(" ").map((name) => squareOf(name)!);
const step = (from: string, key: string, control = false) => {
  const to = stepTo(squareOf(from)!, key, control);
  return to === null ? null : nameOf(to);
};

describe("walking the board by keys", () => {
  test.each([
    ["e5", "ArrowUp", false, "e4"],
    ["e5", "ArrowRight", false, "f5"],
    ["a1", "ArrowLeft", false, "a1"],
    ["i9", "ArrowDown", false, "i9"],
    ["e5", "Home", false, "a5"],
    ["e5", "End", false, "i5"],
    ["e5", "PageUp", false, "e1"],
    ["e5", "PageDown", false, "e9"],
    ["e5", "Home", true, "a1"],
    ["e5", "End", true, "i9"],
    ["e5", "ArrowLeft", true, "a5"],
    ["e5", "x", false, null],
  ])("from %s by %s (control %s) to %s", (from, key, control, to) => {
    expect(step(from, key, control)).toBe(to);
  });
});

describe("the score track", () => {
  test("has a hundred stones, each beside the next, around the board", () => {
    const points = Array.from({ length: TRACK_SPACES }, (_, space) => trackPoint(space));
    expect(new Set(points.map(({ x, y }) => `${x.toFixed(3)} ${y.toFixed(3)}`)).size).toBe(100);
    points.forEach((point, space) => {
      const next = points[(space + 1) % 100]!;
      expect(Math.abs(point.x - next.x) + Math.abs(point.y - next.y)).toBeCloseTo(100 / 26);
    });
  });

  test("is walked stone by stone, past the hundred and back", () => {
    expect(walk(97, 102)).toEqual([97, 98, 99, 0, 1, 2]);
    expect(walk(13, 10)).toEqual([13, 12, 11, 10]);
    expect(walk(5, 5)).toEqual([5]);
  });
});

describe("labels", () => {
  const apart = (a: Placed, b: Placed) =>
    Math.abs(a.x - b.x) * 2 >= a.width + b.width || Math.abs(a.y - b.y) * 2 >= a.height + b.height;
  const label = (names: string, width = 2.5) => ({ squares: squares(names), width, height: 0.5 });

  test("of three Kakuros made at once cover neither each other nor the tile in hand", () => {
    const busy = squares("h3");
    const placed = placeLabels([label("e3 f3 g3 h3"), label("e3 e4 e5"), label("h1 h2 h3")], busy, []);
    expect(placed).toHaveLength(3);
    expect(apart(placed[0]!, placed[1]!) && apart(placed[0]!, placed[2]!) && apart(placed[1]!, placed[2]!)).toBe(true);
    for (const each of placed) expect(apart(each, { x: 7.5, y: 2.5, width: 0.6, height: 0.6 })).toBe(true);
  });

  test("stay on the board in its corners", () => {
    for (const names of ["a1 b1", "h9 i9", "i1 i2", "a8 a9"]) {
      const [placed] = placeLabels([label(names, 4)], [], []);
      expect(placed!.x - 2).toBeGreaterThanOrEqual(-0.2);
      expect(placed!.x + 2).toBeLessThanOrEqual(9.2);
      expect(placed!.y).toBeGreaterThanOrEqual(0);
      expect(placed!.y).toBeLessThanOrEqual(9);
    }
  });
});
