/** A picture of a finished game to share: the result, the final board and the story of the scores. Always in the light theme. */

import { DASHES } from "../parts/CurveKey.svelte";
import { tileAt, type Tile } from "../rules/board";
import { SQUARES, columnOf, rowOf, type Square } from "../rules/squares";

export interface PictureOf {
  title: string;
  names: readonly string[];
  colours: readonly string[];
  scores: readonly number[];
  winners: readonly number[];
  cells: string;
  stones: readonly Square[];
  /** The score of each seat over the turns. */
  lines: readonly (readonly number[])[];
  /** The host name of the server. */
  place: string;
}

export const WIDTH = 1080;
export const HEIGHT = 1440;
export const MARGIN = 60;
export const BOARD = { x: MARGIN, y: 170, size: WIDTH - 2 * MARGIN };
const CELL = BOARD.size / 9;
const CHART = { x: 560, y: 1_170, width: WIDTH - MARGIN - 560, height: 190 };

const PAPER = "#f6f2e8";
const RAISED = "#fdfaf3";
export const INK = "#1f2a2e";
export const SOFT = "#4d5a5c";
const LINE = "#cfc8b6";
const SEATS: Record<string, string> = { indigo: "#3f4a9c", teal: "#0f766e", plum: "#8a2d68", ochre: "#8f5a0a" };
export const FACE = '"Atkinson Hyperlegible Next", system-ui, sans-serif';
const HEADING = '"Young Serif", Georgia, serif';

/** Write text, smaller if it is longer than the room. */
export function write(
  ink: CanvasRenderingContext2D,
  text: string,
  x: number,
  y: number,
  size: number,
  face: string,
  room = WIDTH,
): void {
  ink.font = `${size}px ${face}`;
  const width = ink.measureText(text).width;
  if (width > room) ink.font = `${Math.floor((size * room) / width)}px ${face}`;
  ink.fillText(text, x, y);
}

function drawTile(ink: CanvasRenderingContext2D, { digit, side }: Tile, x: number, y: number): void {
  const size = CELL * 0.87;
  const [left, top] = [x + (CELL - size) / 2, y + (CELL - size) / 2];
  const addend = side === "+";
  const radius = size * (addend ? 0.33 : 0.05);
  const shape = (by: number) => {
    ink.beginPath();
    ink.roundRect(left, top + by, size, size, radius);
    ink.fill();
  };
  ink.fillStyle = addend ? "#b98516" : "#7d2415";
  shape(size * 0.05);
  ink.fillStyle = addend ? "#f2c14e" : "#c2412d";
  shape(0);
  ink.fillStyle = addend ? "#2a2210" : "#fff6ea";
  ink.textAlign = "center";
  ink.textBaseline = "middle";
  ink.font = `650 ${size * 0.6}px ${FACE}`;
  ink.fillText(String(digit), left + size / 2, top + size * 0.54);
  if (digit === 6 || digit === 9) ink.fillRect(left + size * 0.35, top + size * 0.8, size * 0.3, size * 0.045);
  ink.font = `650 ${size * 0.24}px ${FACE}`;
  ink.fillText(addend ? "+" : "=", left + size * 0.18, top + size * 0.2);
}

function drawBoard(ink: CanvasRenderingContext2D, { cells, stones }: Pick<PictureOf, "cells" | "stones">): void {
  ink.fillStyle = "#d3e2dc";
  ink.beginPath();
  ink.roundRect(BOARD.x - 16, BOARD.y - 16, BOARD.size + 32, BOARD.size + 32, 20);
  ink.fill();
  ink.fillStyle = RAISED;
  ink.fillRect(BOARD.x, BOARD.y, BOARD.size, BOARD.size);
  ink.strokeStyle = LINE;
  ink.lineWidth = 2;
  for (let n = 0; n <= 9; n += 1) {
    ink.beginPath();
    ink.moveTo(BOARD.x + n * CELL, BOARD.y);
    ink.lineTo(BOARD.x + n * CELL, BOARD.y + BOARD.size);
    ink.moveTo(BOARD.x, BOARD.y + n * CELL);
    ink.lineTo(BOARD.x + BOARD.size, BOARD.y + n * CELL);
    ink.stroke();
  }
  for (const square of SQUARES) {
    const [x, y] = [BOARD.x + columnOf(square) * CELL, BOARD.y + rowOf(square) * CELL];
    if (stones.includes(square)) {
      ink.fillStyle = "#a9aea8";
      ink.beginPath();
      ink.ellipse(x + CELL / 2, y + CELL / 2, CELL * 0.49, CELL * 0.46, 0, 0, Math.PI * 2);
      ink.fill();
    }
    const tile = tileAt(cells, square);
    if (tile) drawTile(ink, tile, x, y);
  }
}

function drawChart(ink: CanvasRenderingContext2D, { lines, colours }: PictureOf): void {
  const turns = Math.max(1, lines[0]!.length - 1);
  const highest = Math.max(10, ...lines.map((line) => line.at(-1)!));
  const x = (turn: number) => CHART.x + (turn / turns) * CHART.width;
  const y = (score: number) => CHART.y + CHART.height - (score / highest) * CHART.height;
  ink.strokeStyle = "#a9a592";
  ink.lineWidth = 2;
  ink.beginPath();
  ink.moveTo(CHART.x, y(0));
  ink.lineTo(CHART.x + CHART.width, y(0));
  ink.stroke();
  lines.forEach((line, seat) => {
    ink.strokeStyle = ink.fillStyle = SEATS[colours[seat]!] ?? INK;
    ink.lineWidth = 6;
    ink.lineCap = ink.lineJoin = "round";
    ink.setLineDash(
      (DASHES[seat] ?? "")
        .split(" ")
        .filter(Boolean)
        .map((dash) => Number(dash) * 2.2),
    );
    ink.beginPath();
    line.forEach((score, turn) => (turn ? ink.lineTo(x(turn), y(score)) : ink.moveTo(x(0), y(score))));
    ink.stroke();
    ink.setLineDash([]);
    ink.beginPath();
    ink.arc(x(turns), y(line.at(-1)!), 9, 0, Math.PI * 2);
    ink.fill();
  });
}

function drawScores(ink: CanvasRenderingContext2D, { names, colours, scores, winners }: PictureOf): void {
  const step = names.length > 2 ? 52 : 84;
  ink.textBaseline = "middle";
  names.forEach((name, seat) => {
    const y = CHART.y + (CHART.height - (names.length - 1) * step) / 2 + seat * step;
    ink.fillStyle = SEATS[colours[seat]!] ?? INK;
    ink.beginPath();
    ink.arc(MARGIN + 16, y, 16, 0, Math.PI * 2);
    ink.fill();
    ink.fillStyle = INK;
    const weight = winners.includes(seat) ? "700 " : "";
    ink.textAlign = "right";
    ink.font = `${weight}44px ${FACE}`;
    ink.fillText(String(scores[seat]), 500, y);
    ink.textAlign = "left";
    write(ink, name, MARGIN + 48, y, 38, FACE, 290);
  });
}

/** A sheet with a title, a board and the place, on which more may be drawn; with the page's own fonts. */
export async function drawn(
  { title, cells, stones, place }: Pick<PictureOf, "title" | "cells" | "stones" | "place">,
  more: (ink: CanvasRenderingContext2D) => void,
): Promise<Blob> {
  await Promise.all([`20px ${HEADING}`, `650 20px ${FACE}`].map((font) => document.fonts.load(font)));
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  const ink = canvas.getContext("2d")!;
  ink.fillStyle = PAPER;
  ink.fillRect(0, 0, WIDTH, HEIGHT);
  ink.fillStyle = INK;
  ink.textAlign = "left";
  ink.textBaseline = "alphabetic";
  write(ink, title, MARGIN - 12, 110, 68, HEADING, WIDTH - 2 * MARGIN);
  drawBoard(ink, { cells, stones });
  more(ink);
  ink.fillStyle = SOFT;
  ink.textAlign = "left";
  ink.textBaseline = "alphabetic";
  write(ink, place ? `Riverstones · ${place}` : "Riverstones", MARGIN, HEIGHT - 34, 26, FACE, WIDTH - 2 * MARGIN);
  return new Promise((done, fail) =>
    canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error("The picture could not be made."))), "image/png"),
  );
}

/** Draw the picture of a game. */
export const pictureOf = (game: PictureOf): Promise<Blob> =>
  drawn(game, (ink) => {
    drawScores(ink, game);
    drawChart(ink, game);
  });
