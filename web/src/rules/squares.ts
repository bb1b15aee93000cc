/** The 81 squares as numbers from 0 to 80 in reading order: a1 is the top left corner, e5 the centre. */

export const SIZE = 9;
export type Square = number;
export type Direction = "right" | "down";

export const SQUARES: readonly Square[] = Array.from({ length: SIZE * SIZE }, (_, n) => n);
export const columnOf = (square: Square): number => square % SIZE;
export const rowOf = (square: Square): number => Math.floor(square / SIZE);
export const nameOf = (square: Square): string => "abcdefghi"[columnOf(square)]! + (rowOf(square) + 1);

/** The square of this name, or null if the board has none. */
export function squareOf(name: string): Square | null {
  if (!/^[a-i][1-9]$/.test(name)) return null;
  return (Number(name[1]) - 1) * SIZE + "abcdefghi".indexOf(name[0]!);
}

/** The two, three or four squares that share an edge with this one. */
export function neighbours(square: Square): Square[] {
  const row = rowOf(square);
  const column = columnOf(square);
  const near: Square[] = [];
  if (row > 0) near.push(square - SIZE);
  if (column > 0) near.push(square - 1);
  if (column < SIZE - 1) near.push(square + 1);
  if (row < SIZE - 1) near.push(square + SIZE);
  return near;
}

/** A whole row, read to the right, or a whole column, read downwards. */
export interface Line {
  direction: Direction;
  squares: Square[];
}

const ROWS: Line[] = [];
const COLUMNS: Line[] = [];
for (let n = 0; n < SIZE; n += 1) {
  ROWS.push({ direction: "right", squares: SQUARES.filter((square) => rowOf(square) === n) });
  COLUMNS.push({ direction: "down", squares: SQUARES.filter((square) => columnOf(square) === n) });
}

export const LINES: readonly Line[] = [...ROWS, ...COLUMNS];
export const linesOf = (square: Square): [Line, Line] => [ROWS[rowOf(square)]!, COLUMNS[columnOf(square)]!];
