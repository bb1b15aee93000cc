/** The picture of a day to share: the position as everybody gets it, and how it went. It gives nothing away. */

import { BOARD, drawn, FACE, INK, MARGIN, SOFT, WIDTH, write } from "../play/picture";
import { isGem, starsFor } from "./stars";

export interface DayPicture {
  /** The date. */
  title: string;
  cells: string;
  /** The sprint's points, which stars are drawn for; null if only the puzzle was solved. */
  sprint: { points: number; optimum: number } | null;
  /** A line beside the stars or in their place. */
  result: string;
  /** The line below: puzzle or sprint, and the streak, if there is one. */
  part: string;
  streak: string;
  place: string;
}

const TOP = BOARD.y + BOARD.size + 90;
const STAR = "#f2c14e";
const STAR_EDGE = "#b98516";
const EMPTY = "#a9a592";
const GEM = "#2f6f73";

function star(ink: CanvasRenderingContext2D, x: number, y: number, radius: number, won: boolean): void {
  ink.beginPath();
  for (let n = 0; n < 10; n += 1) {
    const [angle, reach] = [(n * Math.PI) / 5 - Math.PI / 2, n % 2 ? radius * 0.44 : radius];
    ink.lineTo(x + Math.cos(angle) * reach, y + Math.sin(angle) * reach);
  }
  ink.closePath();
  ink.lineJoin = "round";
  ink.lineWidth = 5;
  ink.strokeStyle = won ? STAR_EDGE : EMPTY;
  ink.stroke();
  if (!won) return;
  ink.fillStyle = STAR;
  ink.fill();
}

function gem(ink: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  const corners = [-0.55, -0.8, 0.55, -0.8, 1, -0.1, 0, 1, -1, -0.1];
  ink.beginPath();
  for (let n = 0; n < corners.length; n += 2) ink.lineTo(x + corners[n]! * radius, y + corners[n + 1]! * radius);
  ink.closePath();
  ink.fillStyle = GEM;
  ink.fill();
}

export const pictureOfDay = ({ title, cells, sprint, result, part, streak, place }: DayPicture): Promise<Blob> =>
  drawn({ title, cells, stones: [], place }, (ink) => {
    let left = MARGIN;
    if (sprint && isGem(sprint.points, sprint.optimum)) {
      gem(ink, MARGIN + 50, TOP + 10, 52);
      left += 150;
    } else if (sprint) {
      for (let n = 0; n < 3; n += 1) star(ink, MARGIN + 45 + n * 105, TOP + 5, 46, n < starsFor(sprint.points, sprint.optimum));
      left += 350;
    }
    ink.textBaseline = "middle";
    ink.textAlign = "left";
    ink.fillStyle = INK;
    write(ink, result, left, TOP + 8, 52, FACE, WIDTH - MARGIN - left);
    ink.fillStyle = SOFT;
    write(ink, streak ? `${part} · ${streak}` : part, MARGIN, TOP + 110, 36, FACE, WIDTH - 2 * MARGIN);
  });
