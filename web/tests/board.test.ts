import { describe, expect, test } from "vitest";
import { PAWN, TRACK_PITCH, TRACK_SPACES, frameOf, pawnSpots, trackPoint, walk } from "../src/board/geometry";
import { stepTo } from "../src/board/keys";
import { noteSide, placeLabels, type Size } from "../src/board/labels";
import { nameOf, squareOf } from "../src/rules/squares";

const squares = (names: string) => names.split(" ").map((name) => squareOf(name)!);
const step = (from: string, key: string, control = false) => {
  const to = stepTo(squareOf(from)!, key, control);
  return to === null ? null : nameOf(to);
};

test("a frame goes around all its squares, also if the total comes last", () => {
  expect(frameOf(squares("h9 h6 h7 h8"))).toEqual(frameOf(squares("h6 h7 h8 h9")));
  expect(frameOf(squares("h9 h6 h7 h8")).height).toBeCloseTo(3.94);
});

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

  test.each([1, 2, 3, 4])("holds %i pawns around every stone, each to be seen and none over the edge", (pawns) => {
    for (let space = 0; space < TRACK_SPACES; space += 1) {
      const spots = pawnSpots(Array.from({ length: pawns }, (_, n) => space + 100 * n));
      const stone = trackPoint(space);
      const half = (PAWN / 2) * TRACK_PITCH;
      spots.forEach(({ x, y, scale }, n) => {
        for (const at of [x, y]) {
          expect(at - half * scale).toBeGreaterThanOrEqual(-1e-9);
          expect(at + half * scale).toBeLessThanOrEqual(100 + 1e-9);
        }
        // Nearer to its own stone than to the next one along the track.
        const level = Math.floor(space / 25) % 2 === 0;
        const corner = space % 25 === 0;
        if (!corner) expect(Math.abs(level ? x - stone.x : y - stone.y)).toBeLessThan(TRACK_PITCH / 2);
        for (const other of spots.slice(n + 1)) {
          expect(Math.hypot(x - other.x, y - other.y)).toBeGreaterThan(half * scale * 1.4);
        }
      });
    }
  });
});

describe("labels", () => {
  type Box = Size & { x: number; y: number };
  const apart = (a: Box, b: Box) =>
    Math.abs(a.x - b.x) * 2 >= a.width + b.width || Math.abs(a.y - b.y) * 2 >= a.height + b.height;
  const numeral = (name: string) => {
    const [square] = squares(name);
    return { x: (square! % 9) + 0.5, y: Math.floor(square! / 9) + 0.5, width: 0.62, height: 0.62 };
  };
  const label = (names: string, width = 2.5) => ({ squares: squares(names), sizes: [{ width, height: 0.5 }] });

  test("of three Kakuros made at once cover neither each other nor the tile in hand", () => {
    const busy = squares("h3");
    const placed = placeLabels([label("e3 f3 g3 h3"), label("e3 e4 e5"), label("h1 h2 h3")], busy, []);
    expect(placed).toHaveLength(3);
    expect(apart(placed[0]!, placed[1]!) && apart(placed[0]!, placed[2]!) && apart(placed[1]!, placed[2]!)).toBe(true);
    for (const each of placed) expect(apart(each, numeral("h3"))).toBe(true);
  });

  test("never cover their own tiles, not even on a full board", () => {
    const all = Array.from({ length: 81 }, (_, square) => square);
    const runs = ["g5 g6 g7 g8 g9", "f6 g6 h6 i6", "a1 b1 c1 d1 e1 f1 g1 h1 i1", "i1 i2 i3 i4 i5 i6 i7 i8 i9", "a9 b9 c9"];
    for (const names of runs) {
      const [placed] = placeLabels([label(names, 4)], [], all);
      for (const name of names.split(" ")) expect(apart(placed!, numeral(name))).toBe(true);
    }
  });

  test("go where there are no tiles, if there is such a place near", () => {
    const tiles = squares("c3 d3 e3 c4 d4 e4 c2 d2 e2");
    const [placed] = placeLabels([label("c3 d3 e3")], [], tiles);
    expect(placed!.over).toBe(false);
    for (const name of ["c2", "d2", "e2", "c3", "d3", "e3", "c4", "d4", "e4"]) expect(apart(placed!, numeral(name))).toBe(true);
  });

  test("rather stand a row further below than far to the side", () => {
    // The row below the run is full, and there is room in the next.
    const tiles = squares("g4 h4 f5 g5 h5 i5");
    const [placed] = placeLabels([{ squares: squares("g4 h4"), sizes: [{ width: 3.8, height: 0.8 }] }], [], tiles);
    expect(placed!.over).toBe(false);
    expect(placed!.x).toBeGreaterThan(6);
  });

  test("are nearer to their own tiles than to those of another label", () => {
    // The free squares above f3 and g3 belong to the row, not to the column.
    const tiles = squares("c1 e1 c2 e2 b3 c3 e3 f3 g3 b4 c4 d4 e4 f4 g4 a5 b5 c5 d5 e5 f5 g5 h5 i5 a6 b6 c6 d6 e6 f6 g6 e7 f7");
    const sizes = [{ width: 1.44, height: 0.42 }];
    const runs = ["e3 f3 g3", "e3 e4 e5"].map((names) => ({ squares: squares(names), sizes }));
    const [, column] = placeLabels(runs, [], tiles);
    expect(Math.abs(column!.x - 4.5)).toBeLessThan(0.5 + 0.72 + 0.1);
    expect(column!.y).toBeGreaterThan(1.5);
    expect(column!.y).toBeLessThan(5.5);
  });

  test("take a narrower size where a wide one would cover their own tiles", () => {
    const all = "i1 i2 i3 i4 i5 i6 i7 i8 i9";
    const sizes = [
      { width: 8.5, height: 0.7 },
      { width: 3.8, height: 1.4 },
    ];
    const [placed] = placeLabels([{ squares: squares(all), sizes }], [], []);
    expect(placed).toMatchObject({ width: 3.8, cramped: false });
    const column = squares("e1 e2 e3 e4 e5 e6 e7 e8 e9");
    const [wide] = placeLabels([{ squares: column, sizes: sizes.slice(0, 1) }], [], []);
    expect(wide!.cramped, "there is no other place").toBe(true);
    expect(wide!.y + 0.35).toBeLessThanOrEqual(9.5);
  });

  test("that are sentences stand on the side of their tile where less lies", () => {
    const [e5, e4, e6, e1, e9] = squares("e5 e4 e6 e1 e9") as [number, number, number, number, number];
    expect(noteSide(e5, [], [e6], 9)).toBe("above");
    expect(noteSide(e5, [], [e4], 9)).toBe("below");
    expect(noteSide(e5, [e6], [e4], 9)).toBe("above");
    expect(noteSide(e1, [], squares("e2 d2 f2"), 9)).toBe("below");
    expect(noteSide(e9, [], squares("e8 d8 f8"), 9)).toBe("above");
  });

  test("stay on the board in its corners", () => {
    for (const names of ["a1 b1", "h9 i9", "i1 i2", "a8 a9"]) {
      const [placed] = placeLabels([label(names, 4)], [], []);
      expect(placed!.x - 2).toBeGreaterThanOrEqual(-0.2);
      expect(placed!.x + 2).toBeLessThanOrEqual(9.2);
      expect(placed!.y).toBeGreaterThanOrEqual(-0.3);
      expect(placed!.y).toBeLessThanOrEqual(9.3);
    }
  });
});
