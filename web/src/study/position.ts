/**
 * A position to study: the board, the seat to move, the hands as far as they are known, the scores and the variant. The bag
 * holds the rest. Read, written and checked as Python does (`notation/position.py`, `rules/position.py`); a test holds this to it.
 */

import { counts, isEmpty, parseBoard } from "../rules/board";
import { after, type Move } from "../rules/moves";
import { explain, type Variant } from "../rules/scoring";
import type { Reason } from "../rules/series";
import { SIZE, SQUARES, neighbours, type Square } from "../rules/squares";

/** The digits of a hand, ascending, then `?` for each unknown tile; empty for no tiles. */
export type HandText = string;

export interface StudyPosition {
  cells: string;
  toMove: number;
  hands: readonly HandText[];
  scores: readonly number[];
  bag: number;
  variant: Variant;
}

export const HAND_SIZE = 2;
export const LEAST_SEATS = 2;
export const MOST_SEATS = 4;
export const COPIES = 8;
export const TILE_COUNT = 72;
export const HIGHEST_SCORE = 999_999;
const LONGEST = 500;
const FIELDS = 6;
const DIGITS = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const;

/** A position, or everything that is wrong with the text. */
export type Reading = { position: StudyPosition; problems: [] } | { position: null; problems: Reason[] };

/** The tiles of a hand in the order in which they are written. */
export const sortHand = (tiles: Iterable<string>): HandText =>
  [...tiles].sort((a, b) => (a === "?" ? 1 : 0) - (b === "?" ? 1 : 0) || a.localeCompare(b)).join("");

/** The digits of a hand; null if a tile of it is unknown. */
export const digitsOf = (hand: HandText): number[] | null => (hand.includes("?") ? null : [...hand].map(Number));

/** How many tiles of each digit 1-9 are neither on the board nor in a known hand. Below 0: there are too many of it. */
export function unseen({ cells, hands }: Pick<StudyPosition, "cells" | "hands">): number[] {
  const held = hands.join("");
  return counts(cells).map((count, n) => COPIES - count - held.split(String(n + 1)).length + 1);
}

export const tilesOn = (cells: string): number => SQUARES.filter((square) => !isEmpty(cells[square]!)).length;

/** What is left for the bag. */
export const bagOf = ({ cells, hands }: Pick<StudyPosition, "cells" | "hands">): number =>
  TILE_COUNT - tilesOn(cells) - hands.join("").length;

/** Everything that is impossible about a position; an empty list if nothing is. Reachability is not checked. */
export function faultsOf(position: StudyPosition): Reason[] {
  const { cells, toMove, hands, scores, bag } = position;
  const seats = hands.length;
  const found: Reason[] = [];
  const add = (code: string, params: Reason["params"]) => found.push({ code, params });
  if (seats < LEAST_SEATS || seats > MOST_SEATS) add("seats", { count: seats });
  if (scores.length !== seats) add("scores", { count: scores.length, seats });
  if (toMove < 0 || toMove >= seats) add("turn", { seat: toMove, seats });
  hands.forEach((hand, seat) => {
    if (hand.length > HAND_SIZE) add("hand_too_large", { seat, count: hand.length });
  });
  const left = unseen(position);
  for (const digit of DIGITS) {
    if (left[digit - 1]! < 0) add("too_many_of_a_digit", { digit, count: COPIES - left[digit - 1]! });
  }
  const count = tilesOn(cells) + hands.join("").length + bag;
  if (count !== TILE_COUNT) add("tile_count", { count });
  return found;
}

/** One line of six fields: `BOARD TURN HANDS SCORES BAG VARIANT`. */
export const writePosition = ({ cells, toMove, hands, scores, bag, variant }: StudyPosition): string =>
  [
    Array.from({ length: SIZE }, (_, row) => cells.slice(row * SIZE, (row + 1) * SIZE)).join("/"),
    toMove,
    hands.map((hand) => hand || "-").join(","),
    scores.join(","),
    bag,
    variant,
  ].join(" ");

/** What is wrong with the field of the board. */
function boardProblem(text: string): Reason {
  const rows = text.split("/");
  if (rows.length !== SIZE) return { code: "board_rows", params: { count: rows.length } };
  for (const [n, row] of rows.entries()) {
    const characters = [...row];
    if (characters.length !== SIZE) return { code: "board_row_length", params: { row: n + 1, count: characters.length } };
    const wrong = characters.find((character) => !/^[.1-9A-I]$/.test(character));
    if (wrong !== undefined) return { code: "board_character", params: { row: n + 1, text: wrong } };
  }
  throw new Error("This board can be read.");
}

class Unreadable extends Error {
  constructor(readonly problem: Reason) {
    super(problem.code);
  }
}

function number(code: string, text: string): number {
  if (!/^(0|[1-9][0-9]{0,5})$/.test(text)) throw new Unreadable({ code, params: { text } });
  return Number(text);
}

function hand(text: string): HandText {
  if (!/^(-|[1-9?]+)$/.test(text)) throw new Unreadable({ code: "position_hand", params: { text } });
  return text === "-" ? "" : sortHand(text);
}

function variant(text: string): Variant {
  if (text !== "standard" && text !== "expert") throw new Unreadable({ code: "position_variant", params: { text } });
  return text;
}

function fieldsOf(text: string): string[] {
  if ([...text].length > LONGEST) throw new Unreadable({ code: "position_too_long", params: { most: LONGEST } });
  const fields = text.trim().split(" ");
  if (fields.includes("") && fields.length > 1) throw new Unreadable({ code: "position_spaces", params: {} });
  if (fields.length !== FIELDS) {
    const count = text.split(/\s+/).filter(Boolean).length;
    throw new Unreadable({ code: "position_fields", params: { count } });
  }
  return fields;
}

/** Read a position; what cannot be read or is impossible is a list of problems. */
export function readPosition(text: string): Reading {
  try {
    const [board, turn, hands, scores, bag, kind] = fieldsOf(text) as [string, string, string, string, string, string];
    const cells = parseBoard(board);
    if (cells === null) throw new Unreadable(boardProblem(board));
    const position: StudyPosition = {
      cells,
      toMove: number("position_turn", turn),
      hands: hands.split(",").map(hand),
      scores: scores.split(",").map((each) => number("position_score", each)),
      bag: number("position_bag", bag),
      variant: variant(kind),
    };
    const problems = faultsOf(position);
    return problems.length ? { position: null, problems } : { position, problems: [] };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { position: null, problems: [error.problem] };
  }
}

/** The tiles that play would not have put there: no chain of neighbours joins them to a tile on a stone. */
export function looseTiles(cells: string, stones: readonly Square[]): Square[] {
  const reached = new Set(stones.filter((stone) => !isEmpty(cells[stone]!)));
  for (const square of reached) {
    for (const near of neighbours(square)) if (!isEmpty(cells[near]!)) reached.add(near);
  }
  return SQUARES.filter((square) => !isEmpty(cells[square]!) && !reached.has(square));
}

export const bareStones = (cells: string, stones: readonly Square[]): Square[] =>
  stones.filter((stone) => isEmpty(cells[stone]!)).sort((a, b) => a - b);

/** Whether the seat to move can be advised: nothing is impossible, its tiles are known and there is a place for one. */
export const isPlayable = (position: StudyPosition): boolean =>
  faultsOf(position).length === 0 && Boolean(digitsOf(position.hands[position.toMove]!)?.length) && tilesOn(position.cells) > 0;

/** The position after a legal move. The drawn tile is unknown until the user sets it. */
export function afterMove(position: StudyPosition, move: Move): StudyPosition {
  const { cells, toMove, hands, scores, bag, variant } = position;
  const tiles = [...hands[toMove]!];
  tiles.splice(tiles.indexOf(String(move.tile.digit)), 1);
  if (bag > 0) tiles.push("?");
  const { points } = explain(cells, move, variant);
  return {
    cells: after(cells, move),
    toMove: (toMove + 1) % hands.length,
    hands: hands.map((each, seat) => (seat === toMove ? sortHand(tiles) : each)),
    scores: scores.map((score, seat) => (seat === toMove ? score + points : score)),
    bag: Math.max(0, bag - 1),
    variant,
  };
}

/** A random tile for each unknown one of the seat to move, as from the bag. `random` gives numbers from 0 to below 1. */
export function drawUnknown(position: StudyPosition, random: () => number): StudyPosition {
  const { hands, toMove } = position;
  return [...hands[toMove]!]
    .filter((tile) => tile === "?")
    .reduce((now) => {
      const pool = DIGITS.flatMap((digit) => Array<number>(Math.max(0, unseen(now)[digit - 1]!)).fill(digit));
      if (!pool.length) return now;
      return knowTile(now, toMove, pool[Math.floor(random() * pool.length)]!);
    }, position);
}

/** One unknown tile of a hand is this digit. */
export const knowTile = (position: StudyPosition, seat: number, digit: number): StudyPosition => ({
  ...position,
  hands: position.hands.map((hand, n) => (n === seat ? sortHand(hand.replace("?", String(digit))) : hand)),
});
