/** Keyboard navigation on the board. */

import { SIZE, columnOf, rowOf, type Square } from "../rules/squares";

/** The square that a key moves the focus to, or null if it is not a navigation key. */
export function stepTo(square: Square, key: string, control: boolean): Square | null {
  const row = rowOf(square);
  const column = columnOf(square);
  const at = (r: number, c: number): Square => Math.min(Math.max(r, 0), SIZE - 1) * SIZE + Math.min(Math.max(c, 0), SIZE - 1);
  switch (key) {
    case "ArrowUp":
      return at(control ? 0 : row - 1, column);
    case "ArrowDown":
      return at(control ? SIZE - 1 : row + 1, column);
    case "ArrowLeft":
      return at(row, control ? 0 : column - 1);
    case "ArrowRight":
      return at(row, control ? SIZE - 1 : column + 1);
    case "Home":
      return at(control ? 0 : row, 0);
    case "End":
      return at(control ? SIZE - 1 : row, SIZE - 1);
    case "PageUp":
      return at(0, column);
    case "PageDown":
      return at(SIZE - 1, column);
    default:
      return null;
  }
}
