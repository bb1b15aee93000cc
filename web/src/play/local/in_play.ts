/** Games of this device that go on: their positions must not be analysed. */

import { LAYOUTS } from "../../protocol/limits";
import type { Listed } from "./store";

/** `DIFFERENT` of riverstones/study/in_play.py. */
const DIFFERENT = 1;

export const goingOn = (listed: readonly Listed[]): Listed[] =>
  listed.filter(({ summary }) => summary.phase === "playing" || summary.phase === "settling");

/** The tables whose game a position may be of, by the number of its tiles. Python compares the boards themselves. */
export function playedAt(position: string, listed: readonly Listed[]): string[] {
  const tiles = position.trim().split(" ")[0]!.replace(/[./]/g, "").length;
  const isLike = ({ summary }: Listed): boolean => Math.abs(LAYOUTS.sides.length + summary.turn - tiles) <= DIFFERENT;
  return goingOn(listed)
    .filter(isLike)
    .map(({ table }) => table);
}
