/** Games of this device that go on: their positions and records must not be analysed. */

import { LAYOUTS } from "../../protocol/limits";
import type { Listed } from "./store";

/** `DIFFERENT` of riverstones/study/in_play.py. */
const DIFFERENT = 1;

const goingOn = (listed: readonly Listed[]): Listed[] =>
  listed.filter(({ summary }) => summary.phase === "playing" || summary.phase === "settling");

/** A position or a record, as the body of a request. */
export type Studied = { position: string } | { text: string };

/** The number of tiles on the last board. In a record each move has a line, which begins with its number. */
const tilesOf = (studied: Studied): number =>
  "position" in studied
    ? studied.position.trim().split(" ")[0]!.replace(/[./]/g, "").length
    : LAYOUTS.sides.length + (studied.text.match(/^\s*\d/gm)?.length ?? 0);

/** The tables whose game it may be, by the number of tiles. Python compares the boards themselves. */
export function playedAt(studied: Studied, listed: readonly Listed[]): string[] {
  const tiles = tilesOf(studied);
  const isLike = ({ summary }: Listed): boolean => Math.abs(LAYOUTS.sides.length + summary.turn - tiles) <= DIFFERENT;
  return goingOn(listed)
    .filter(isLike)
    .map(({ table }) => table);
}
