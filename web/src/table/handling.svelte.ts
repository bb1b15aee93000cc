/** Handling of tiles by touch, mouse and keys, at a table and in the lessons. */

import type { DragHandlers } from "../board/drag";
import { sound } from "../lib/sound";
import { isEmpty, type Side } from "../rules/board";
import type { Square } from "../rules/squares";
import type { Laid } from "./session.svelte";

/** The owner of a hand: a visitor at a table, or a learner. */
export interface TileHolder {
  readonly cells: string;
  readonly hand: readonly number[];
  picked: number | null;
  readonly side: Side;
  readonly laid: Laid | null;
  readonly laidIndex: number | null;
  /** The move has been sent: input is ignored. */
  readonly sending: boolean;
  /** Whether Enter on the laid tile plays it. */
  readonly enterPlays: boolean;
  pick(index: number): void;
  turnOver(): void;
  place(square: Square): void;
  flip(square: Square): void;
  takeBack(): void;
  play(): void;
}

export class Handling {
  /** The tile that follows the pointer. */
  dragged = $state.raw<{ digit: number; x: number; y: number } | null>(null);

  constructor(private holder: TileHolder) {}

  /** A tap on a square: lay out the tile, flip the laid-out tile, or flip a tile on the board. */
  press(square: Square): void {
    const { holder } = this;
    if (holder.sending) return;
    if (holder.laid?.square === square) {
      holder.turnOver();
      sound("turn");
    } else if (isEmpty(holder.cells[square]!)) {
      if (holder.picked === null && !holder.laid) return;
      holder.place(square);
      sound("place");
    } else if (holder.laid) {
      holder.flip(square);
      sound("turn");
    }
  }

  /** A key on a square; returns whether it was handled. */
  key(name: string, square: Square): boolean {
    const { holder } = this;
    const onTile = !isEmpty(holder.cells[square]!);
    switch (name.toLowerCase()) {
      case "1":
      case "2":
        if (holder.hand.length >= Number(name)) holder.pick(Number(name) - 1);
        return true;
      case "f":
        if (holder.laid && onTile) holder.flip(square);
        else holder.turnOver();
        return true;
      case "enter":
        if (holder.laid && (holder.laid.square === square || onTile)) {
          if (holder.enterPlays) holder.play();
        } else {
          this.press(square);
        }
        return true;
      case " ":
        this.press(square);
        return true;
      case "escape":
        this.putBack();
        return true;
      default:
        return false;
    }
  }

  putBack(): void {
    this.holder.takeBack();
    this.holder.picked = null;
  }

  fromHand = (index: number): DragHandlers =>
    this.drag(
      () => this.holder.hand[index],
      () => {
        if (this.holder.picked === index && !this.holder.laid) return;
        this.putBack();
        this.holder.pick(index);
      },
    );

  fromBoard: DragHandlers = this.drag(
    () => this.holder.laid?.digit,
    () => {},
  );

  private drag(digitOf: () => number | undefined, start: () => void): DragHandlers {
    return {
      onstart: start,
      onmove: ({ x, y }) => {
        const digit = digitOf();
        if (digit !== undefined) this.dragged = { digit, x, y };
      },
      ondrop: (square) => {
        this.dragged = null;
        if (square !== null && isEmpty(this.holder.cells[square]!)) {
          this.holder.place(square);
          sound("place");
        } else if (this.holder.laid) {
          this.putBack();
        }
      },
      oncancel: () => (this.dragged = null),
    };
  }
}
