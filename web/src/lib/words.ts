/** Squares, tiles, lines and moves in words, for screen readers and the move list. */

import { m } from "../words";
import { tileAt, type Tile } from "../rules/board";
import { parseMove } from "../rules/moves";
import { sumOf, type Series } from "../rules/series";
import { nameOf, squareOf, type Line, type Square } from "../rules/squares";

export const sayTile = (tile: Tile): string =>
  tile.side === "+" ? m.addend_named({ digit: tile.digit }) : m.total_named({ digit: tile.digit });

/** "e5, total 4, river stone", "d4, empty, a tile may go here". */
export function saySquare(square: Square, tile: Tile | null, stone: boolean, legal: boolean, extra = ""): string {
  const parts = [nameOf(square), tile ? sayTile(tile) : m.empty_square()];
  if (stone) parts.push(m.river_stone());
  if (legal && !tile) parts.push(m.may_go_here());
  if (extra) parts.push(extra);
  return parts.join(", ");
}

/** A whole row or column read aloud, run by run: "Row 3: total 1, 8, 2, 1, sum 11; gap; total 4". */
export function sayLine(cells: string, line: Line): string {
  const first = line.squares[0]!;
  const name =
    line.direction === "right" ? m.row_named({ name: nameOf(first)[1]! }) : m.column_named({ name: nameOf(first)[0]! });
  const runs: string[] = [];
  let words: string[] = [];
  let sum = 0;
  const close = () => {
    if (words.length) runs.push(sum ? `${words.join(", ")}, ${m.sum_is({ sum })}` : words.join(", "));
    words = [];
    sum = 0;
  };
  for (const square of line.squares) {
    const tile = tileAt(cells, square);
    if (!tile || tile.side === "=") close();
    if (tile) words.push(tile.side === "=" ? sayTile(tile) : String(tile.digit));
    if (tile?.side === "+") sum += tile.digit;
  }
  close();
  return m.labelled({ label: name, text: runs.join("; ") || m.empty_square() });
}

/** The arithmetic as a person would write it: 9 + 4 = 13. */
export const writeSum = (series: Pick<Series, "addends">): string => `${series.addends.join(" + ")} = ${sumOf(series)}`;

/** The same with its total in front: 3 | 9 + 4 = 13. */
export const writeKakuro = (kakuro: Pick<Series, "total" | "addends">): string => `${kakuro.total} | ${writeSum(kakuro)}`;

/** The same for narrow columns: line breaks only before a sign. */
export const breakableKakuro = (kakuro: Pick<Series, "total" | "addends">): string =>
  writeKakuro(kakuro)
    .replace(" |", "\u00a0|")
    .replace(/([|+=]) /g, "$1\u00a0");

export const squaresOf = (names: readonly string[]): Square[] => names.map((name) => squareOf(name)!);

/** "addend 7 on h3, flipping e3". */
export function sayMove(text: string): string {
  const move = parseMove(text)!;
  const placed = m.tile_on_square({ tile: sayTile(move.tile), square: nameOf(move.square) });
  return move.flips.length ? m.move_turning({ placed, squares: move.flips.map(nameOf) }) : placed;
}

/** "Ann: addend 7 on h3, flipping e3, 18 points". */
export const sayPlay = (name: string, { move, points }: { move: string; points: number }): string =>
  m.labelled({ label: name, text: `${sayMove(move)}, ${m.points({ count: points })}` });
