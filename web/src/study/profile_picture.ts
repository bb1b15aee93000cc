/** The picture of a profile to share: the best move on its board, and the figures in a line. */

import type { BestMoveEver } from "../protocol/messages";
import { parseBoard } from "../rules/board";
import { after, parseMove } from "../rules/moves";
import { BOARD, FACE, INK, MARGIN, WIDTH, drawn, write } from "../play/picture";
import { LAYOUT_STONES, likelyLayout } from "./stones";

export function drawProfile(name: string, best: BestMoveEver, line: string, place: string): Promise<Blob> {
  const before = parseBoard(best.board)!;
  const cells = after(before, parseMove(best.move)!);
  return drawn({ title: name, cells, stones: LAYOUT_STONES[likelyLayout(before)], place }, (ink) => {
    ink.fillStyle = INK;
    ink.textAlign = "left";
    ink.textBaseline = "middle";
    write(ink, line, MARGIN, BOARD.y + BOARD.size + 100, 50, FACE, WIDTH - 2 * MARGIN);
  });
}
