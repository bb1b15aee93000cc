/** Marks on a chart do not cover each other. */

import { expect, test } from "vitest";
import { placeNotes, type Note } from "../src/parts/curve_notes";

const TOP = 9;

const overlaps = (notes: readonly Note[]) =>
  notes.some((one, n) => notes.slice(n + 1).some((other) => Math.abs(one.x - other.x) < 15 && Math.abs(one.y - other.y) < 10));

test("marks that are apart stay where they are", () => {
  const notes = [
    { x: 40, y: 60 },
    { x: 80, y: 60 },
    { x: 82, y: 90 },
  ];
  expect(placeNotes(notes, TOP)).toEqual(notes);
});

test("the second of two near marks moves up", () => {
  expect(
    placeNotes(
      [
        { x: 40, y: 60 },
        { x: 44, y: 58 },
      ],
      TOP,
    ),
  ).toEqual([
    { x: 40, y: 60 },
    { x: 44, y: 48 },
  ]);
});

test("at the top of the chart it moves down", () => {
  expect(
    placeNotes(
      [
        { x: 40, y: 2 },
        { x: 44, y: 4 },
      ],
      TOP,
    ),
  ).toEqual([
    { x: 40, y: 9 },
    { x: 44, y: 19 },
  ]);
});

test("six marks on neighbouring turns all have their own room", () => {
  for (const y of [0, 30, 140]) {
    const placed = placeNotes(
      Array.from({ length: 6 }, (_, n) => ({ x: 100 + 4 * n, y: y + n })),
      TOP,
    );
    expect(overlaps(placed), `at ${y}`).toBe(false);
    expect(placed.every((note) => note.y >= TOP)).toBe(true);
  }
});
