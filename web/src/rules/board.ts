/** A board as 81 characters: `.` empty, `1`-`9` addends, `A`-`I` totals. The same letters as in the written position. */

import { SIZE, SQUARES, neighbours, squareOf, type Square } from "./squares";

export type Side = "+" | "=";
export interface Tile {
  digit: number;
  side: Side;
}

export const EMPTY_BOARD = ".".repeat(SIZE * SIZE);
const ADDENDS = "123456789";
const TOTALS = "ABCDEFGHI";

export const isEmpty = (cell: string): boolean => cell === ".";
export const isAddend = (cell: string): boolean => ADDENDS.includes(cell);
export const isTotal = (cell: string): boolean => TOTALS.includes(cell);
export const digitOf = (cell: string): number => (isTotal(cell) ? TOTALS : ADDENDS).indexOf(cell) + 1;
export const cellOf = (tile: Tile): string => (tile.side === "=" ? TOTALS : ADDENDS)[tile.digit - 1]!;
export const turnedSide = (side: Side): Side => (side === "+" ? "=" : "+");

export function tileAt(cells: string, square: Square): Tile | null {
  const cell = cells[square]!;
  return isEmpty(cell) ? null : { digit: digitOf(cell), side: isTotal(cell) ? "=" : "+" };
}

export const place = (cells: string, square: Square, tile: Tile): string =>
  cells.slice(0, square) + cellOf(tile) + cells.slice(square + 1);

/** The board with the tiles on these squares flipped. */
export function flip(cells: string, squares: readonly Square[]): string {
  const next = [...cells];
  for (const square of squares) {
    const tile = tileAt(cells, square)!;
    next[square] = cellOf({ digit: tile.digit, side: turnedSide(tile.side) });
  }
  return next.join("");
}

export const touches = (cells: string, square: Square): boolean => neighbours(square).some((near) => !isEmpty(cells[near]!));

/** The empty squares next to a tile, where the next tile may go. */
export const frontier = (cells: string): Square[] =>
  SQUARES.filter((square) => isEmpty(cells[square]!) && touches(cells, square));

/** How many tiles of each digit 1-9 are on the board, whichever side is up. */
export function counts(cells: string): number[] {
  const found = Array<number>(9).fill(0);
  for (const cell of cells) if (!isEmpty(cell)) found[digitOf(cell) - 1]! += 1;
  return found;
}

/** Nine rows joined by slashes, as positions are written; null if it is not a board. */
export function parseBoard(text: string): string | null {
  return /^[.1-9A-I]{9}(\/[.1-9A-I]{9}){8}$/.test(text) ? text.replaceAll("/", "") : null;
}

/** A board from tiles and their squares: `boardOf("a1=8 b1+3")`. */
export function boardOf(text: string): string {
  return text.split(" ").reduce((cells, item) => {
    const tile: Tile = { side: item[2] as Side, digit: Number(item[3]) };
    return place(cells, squareOf(item.slice(0, 2))!, tile);
  }, EMPTY_BOARD);
}
