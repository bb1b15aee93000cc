/** The public position, from its written form. */

import { parseBoard } from "../rules/board";

export interface PublicPosition {
  cells: string;
  /** How many tiles each seat holds. */
  held: number[];
  scores: number[];
  bag: number;
}

export function readPosition(text: string): PublicPosition {
  const [board, , hands, scores, bag] = text.split(" ");
  return {
    cells: parseBoard(board!)!,
    held: hands!.split(",").map((hand) => (hand === "-" ? 0 : hand.length)),
    scores: scores!.split(",").map(Number),
    bag: Number(bag),
  };
}
