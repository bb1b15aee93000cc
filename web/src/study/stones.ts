/** The layouts of the river stones, and a deal onto them. */

import { LAYOUTS } from "../protocol/limits";
import { squaresOf } from "../lib/words";
import { boardOf, type Side } from "../rules/board";
import { nameOf, type Square } from "../rules/squares";
import { COPIES, TILE_COUNT, bareStones, type StudyPosition } from "./position";

export type LayoutName = keyof typeof LAYOUTS;

/** The squares of the stones, the centre first. */
export const LAYOUT_STONES: Readonly<Record<LayoutName, readonly Square[]>> = Object.fromEntries(
  Object.entries(LAYOUTS).map(([name, squares]) => [name, squaresOf(squares)]),
) as Record<LayoutName, Square[]>;

/** The layout that a board was probably played on: the one with the fewest stones without a tile. */
export function likelyLayout(cells: string): LayoutName {
  const names = Object.keys(LAYOUT_STONES) as LayoutName[];
  return names.reduce((best, name) =>
    bareStones(cells, LAYOUT_STONES[name]).length < bareStones(cells, LAYOUT_STONES[best]).length ? name : best,
  );
}

/** A deal: a tile on each stone, two for the seat to move, the other hands unknown. `random` gives numbers from 0 to below 1. */
export function dealt(layout: LayoutName, seats: number, variant: StudyPosition["variant"], random: () => number): StudyPosition {
  const bag = [1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap((digit) => Array<number>(COPIES).fill(digit));
  const draw = (): number => bag.splice(Math.floor(random() * bag.length), 1)[0]!;
  const tiles = LAYOUT_STONES[layout].map((square, n) => `${nameOf(square)}${(n ? "+" : "=") as Side}${draw()}`);
  const hand = [draw(), draw()].sort((a, b) => a - b).join("");
  return {
    cells: boardOf(tiles.join(" ")),
    toMove: 0,
    hands: [hand, ...Array<string>(seats - 1).fill("??")],
    scores: Array<number>(seats).fill(0),
    bag: TILE_COUNT - tiles.length - 2 * seats,
    variant,
  };
}
