/**
 * A position in a link. All of it is one number in a mixed radix, written in 64 characters: at most 78 of them, so that a
 * link stays below 200 characters on any host with a name of up to 100.
 */

import { LAYOUT_STONES, type LayoutName } from "./stones";
import { HIGHEST_SCORE, LEAST_SEATS, MOST_SEATS, bagOf, faultsOf, sortHand, type HandText, type StudyPosition } from "./position";

const CELLS = ".123456789ABCDEFGHI";
const CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
/** The first character: the version of the form. */
const VERSION = "1";
const LONGEST = 90;
const TILES = "123456789?";
const LAYOUTS = Object.keys(LAYOUT_STONES) as LayoutName[];

/** Every hand of at most two tiles. */
const HANDS: readonly HandText[] = [
  "",
  ...TILES,
  ...[...TILES].flatMap((one, n) => [...TILES.slice(n)].map((other) => sortHand(one + other))),
];

export interface Linked {
  position: StudyPosition;
  layout: LayoutName;
}

/** The digits of the number, each with its radix, the first as the most significant. */
class Writer {
  private value = 0n;

  put(digit: number, radix: number): void {
    this.value = this.value * BigInt(radix) + BigInt(digit);
  }

  text(): string {
    let text = "";
    for (let rest = this.value; rest > 0n; rest /= 64n) text = CHARACTERS[Number(rest % 64n)] + text;
    return text;
  }
}

/** Takes the digits in the opposite order. */
class Reader {
  private value = 0n;

  constructor(text: string) {
    for (const character of text) this.value = this.value * 64n + BigInt(CHARACTERS.indexOf(character));
  }

  take(radix: number): number {
    const digit = Number(this.value % BigInt(radix));
    this.value /= BigInt(radix);
    return digit;
  }

  get empty(): boolean {
    return this.value === 0n;
  }
}

/** More than there are layouts, so that links stay valid when one is added at the end. */
const LAYOUT_RADIX = 16;
const SEAT_RADIX = MOST_SEATS - LEAST_SEATS + 1;
const SCORE_RADIX = HIGHEST_SCORE + 1;

/** A possible position as the part of a link after `#`. */
export function packPosition({ position, layout }: Linked): string {
  const { cells, toMove, hands, scores, variant } = position;
  const writer = new Writer();
  for (const cell of cells) writer.put(CELLS.indexOf(cell), CELLS.length);
  hands.forEach((hand, seat) => {
    writer.put(HANDS.indexOf(hand), HANDS.length);
    writer.put(scores[seat]!, SCORE_RADIX);
  });
  writer.put(toMove, MOST_SEATS);
  writer.put(hands.length - LEAST_SEATS, SEAT_RADIX);
  writer.put(LAYOUTS.indexOf(layout), LAYOUT_RADIX);
  writer.put(variant === "expert" ? 1 : 0, 2);
  return VERSION + writer.text();
}

/** The position of a link; null for a text that is not one of ours. */
export function unpackPosition(text: string): Linked | null {
  if (text.length > LONGEST || !/^1[\w-]*$/.test(text)) return null;
  const reader = new Reader(text.slice(1));
  const variant = reader.take(2) ? "expert" : "standard";
  const layout = LAYOUTS[reader.take(LAYOUT_RADIX)];
  if (!layout) return null;
  const seats = reader.take(SEAT_RADIX) + LEAST_SEATS;
  const toMove = reader.take(MOST_SEATS);
  const hands: HandText[] = [];
  const scores: number[] = [];
  for (let seat = 0; seat < seats; seat += 1) {
    scores.unshift(reader.take(SCORE_RADIX));
    hands.unshift(HANDS[reader.take(HANDS.length)]!);
  }
  let cells = "";
  for (let square = 0; square < 81; square += 1) cells = CELLS[reader.take(CELLS.length)] + cells;
  if (!reader.empty) return null;
  const bare = { cells, toMove, hands, scores, bag: 0, variant } as const;
  const position = { ...bare, bag: bagOf(bare) };
  if (position.bag < 0 || faultsOf(position).length) return null;
  // Leading zeros would be a second way to write the same.
  return packPosition({ position, layout }) === text ? { position, layout } : null;
}
