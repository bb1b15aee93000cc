/** Reads the puzzle file (docs/puzzle-file.md). Python writes it; cases made by Python hold this reader to it. */

import { nameOf, linesOf } from "../rules/squares";
import type { Variant } from "../rules/scoring";
import { puzzleIndex, sprintIndex } from "./daily";
import type { Kind, Puzzle, PuzzleBook, Sprint } from "./puzzles";

const FORMAT = 1;
const HEADER = /^riverstones-puzzles (\d+) seed \d+ puzzles (\d+) sprints (\d+)$/;
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const ID_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const TILES = "123456789ABCDEFGHI";
const GRADES = "123456789X";
const KIND_OF: Record<string, Kind> = {
  m: "most_points",
  f: "flip",
  d: "two_kakuros",
  t: "three_kakuros",
  l: "look_further",
  w: "win",
  e: "spot_the_error",
};
const NO_MOVE = "...";
const POINTS_LIMIT = 512;
const SPRINT_MOVES = 4;

const CELLS = 81;
const MASK_WIDTH = 14;
const GROUP = 7;
/** The number of characters for so many tiles. */
const GROUP_WIDTHS = [0, 1, 2, 3, 3, 4, 5, 5];
const MOVE_WIDTH = 3;
/** Where the identifier's text begins: after the game and the grade. */
const ID_START = 4;

/** The file is not what it should be: a damaged download, or a version this app does not know. */
export class Unreadable extends Error {}

const VALUE = new Map([...ALPHABET].map((char, value) => [char, value]));
const PAIRS: [number, number][] = [];
for (let low = 1; low <= 9; low += 1) for (let high = low; high <= 9; high += 1) PAIRS.push([low, high]);

/** Cuts a line into fields, from the left. */
class Cutter {
  private place = 0;
  constructor(private readonly line: string) {}

  text(width: number): string {
    const field = this.line.slice(this.place, this.place + width);
    if (field.length < width) throw new Unreadable("a line ends too early");
    this.place += width;
    return field;
  }

  number(width: number): number {
    return numberOf(this.text(width));
  }

  get left(): number {
    return this.line.length - this.place;
  }
}

function numberOf(text: string): number {
  let number = 0;
  for (const char of text) {
    const value = VALUE.get(char);
    if (value === undefined) throw new Unreadable(`the character ${char}`);
    number = number * 64 + value;
  }
  return number;
}

function readBoard(cut: Cutter): string {
  const cells = Array<string>(CELLS).fill(".");
  const squares: number[] = [];
  for (let part = 0; part < MASK_WIDTH; part += 1) {
    const bits = cut.number(1);
    for (let bit = 0; bit < 6; bit += 1) if (bits & (32 >> bit)) squares.push(6 * part + bit);
  }
  if (squares.length && squares.at(-1)! >= CELLS) throw new Unreadable("a square outside the board");
  for (let start = 0; start < squares.length; start += GROUP) {
    const here = squares.slice(start, start + GROUP);
    let group = cut.number(GROUP_WIDTHS[here.length]!);
    for (const square of here.reverse()) {
      cells[square] = TILES[group % TILES.length]!;
      group = Math.floor(group / TILES.length);
    }
    if (group) throw new Unreadable("a tile that does not exist");
  }
  return cells.join("");
}

function readHand(cut: Cutter): number[] {
  const pair = PAIRS[cut.number(1)];
  if (!pair) throw new Unreadable("a hand that does not exist");
  return [...pair];
}

function readMove(text: string, hand: readonly number[]): string {
  const number = numberOf(text);
  const flips = number & 255;
  const down = (number >> 8) & 1;
  const side = (number >> 9) & 1 ? "=" : "+";
  const digit = hand[(number >> 10) & 1];
  const square = number >> 11;
  if (square >= CELLS || digit === undefined) throw new Unreadable("a move that does not exist");
  const others = linesOf(square)[down]!.squares.filter((other) => other !== square);
  const flipped = others.filter((_, place) => (flips >> place) & 1);
  return [nameOf(square) + side + digit, ...flipped.map(nameOf)].join("~");
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** The short name that follows from a text: the first 30 bits of its CRC-32. */
function identifier(text: string): string {
  let crc = -1;
  for (let place = 0; place < text.length; place += 1) crc = (crc >>> 8) ^ CRC_TABLE[(crc ^ text.charCodeAt(place)) & 255]!;
  const number = (crc ^ -1) >>> 2;
  return [25, 20, 15, 10, 5, 0].map((shift) => ID_ALPHABET[(number >>> shift) & 31]!).join("");
}

const variantOf = (letter: string): Variant => (letter === letter.toUpperCase() ? "expert" : "standard");

export function readPuzzle(line: string): Puzzle {
  const cut = new Cutter(line);
  cut.text(3);
  const grade = GRADES.indexOf(cut.text(1)) + 1;
  const letter = cut.text(1);
  const kind = KIND_OF[letter.toLowerCase()];
  if (!grade || !kind) throw new Unreadable("a kind or a grade that does not exist");
  const hand = readHand(cut);
  const points = cut.number(3);
  const best = Math.floor(points / POINTS_LIMIT);
  const second = points % POINTS_LIMIT;
  const answer = readMove(cut.text(MOVE_WIDTH), hand);
  const following = cut.text(MOVE_WIDTH);
  const isWin = kind === "win";
  const others = isWin ? readHand(cut) : null;
  const scores: [number, number] | null = isWin ? [cut.number(2), cut.number(2)] : null;
  const board = readBoard(cut);
  const answers = isWin || kind === "look_further" ? [answer] : null;
  while (answers && cut.left) answers.push(readMove(cut.text(MOVE_WIDTH), hand));
  if (cut.left) throw new Unreadable("more than a puzzle");
  return {
    id: identifier(line.slice(ID_START)),
    kind,
    grade,
    variant: variantOf(letter),
    board,
    hand,
    others,
    scores,
    best,
    answer,
    answers,
    nextBest: following === NO_MOVE ? null : { move: readMove(following, hand), points: second },
    claim: kind === "spot_the_error" ? { move: answer, points: second } : null,
  };
}

export function readSprint(line: string): Sprint {
  const cut = new Cutter(line);
  cut.text(3);
  const grade = cut.text(1);
  const letter = cut.text(1);
  if (grade !== "." || letter.toLowerCase() !== "s") throw new Unreadable("a puzzle where a sprint is expected");
  const hand = readHand(cut);
  const drawn = cut.number(2);
  const tiles = [81, 9, 1].map((place) => (Math.floor(drawn / place) % 9) + 1);
  const optimum = cut.number(2);
  const moves: string[] = [];
  let held = hand;
  for (let turn = 0; turn < SPRINT_MOVES; turn += 1) {
    const move = readMove(cut.text(MOVE_WIDTH), held);
    const used = held.indexOf(Number(move[3]));
    held = [...held.filter((_, place) => place !== used), ...tiles.slice(turn, turn + 1)].sort((a, b) => a - b);
    moves.push(move);
  }
  const board = readBoard(cut);
  if (cut.left) throw new Unreadable("more than a sprint");
  return { id: identifier(line.slice(ID_START)), variant: variantOf(letter), board, hand, tiles, optimum, line: moves };
}

/** Every puzzle and sprint of a file; throws `Unreadable` if it is not a whole puzzle file. */
export function readBook(text: string): PuzzleBook {
  const [header = "", ...lines] = text.trimEnd().split("\n");
  const match = HEADER.exec(header);
  if (!match || Number(match[1]) !== FORMAT) throw new Unreadable("not a puzzle file of a known format");
  const count = Number(match[2]);
  if (lines.length !== count + Number(match[3])) throw new Unreadable("an incomplete puzzle file");
  const puzzles = lines.slice(0, count).map(readPuzzle);
  const sprints = lines.slice(count).map(readSprint);
  const ids = new Map(puzzles.map((puzzle) => [puzzle.id, puzzle]));
  return {
    puzzles,
    sprints,
    byId: (id) => ids.get(id),
    of: (kind, grade) =>
      puzzles.filter((puzzle) => (kind === undefined || puzzle.kind === kind) && (grade === undefined || puzzle.grade === grade)),
    daily: (date) => ({
      puzzle: puzzles[puzzleIndex(puzzles.length, date)]!,
      sprint: sprints[sprintIndex(sprints.length, date)]!,
    }),
  };
}
