/** Handling of tiles by touch, mouse and keys, at a table and in the lessons. */

import type { DragHandlers } from "../board/drag";
import { settings } from "../lib/settings.svelte";
import { sound } from "../lib/sound";
import { isEmpty, type Side } from "../rules/board";
import type { Square } from "../rules/squares";
import type { Laid } from "./session.svelte";

/** A second tap within this time belongs to the first. */
const DOUBLE_TAP_MS = 400;

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

  /** When the tile was laid out: with moves that need no confirmation, a double tap must not play it. */
  private laidAt = 0;

  constructor(
    private holder: TileHolder,
    /** A tap or a drop on this square has done nothing. */
    private onvain: (square: Square) => void,
  ) {}

  /** A tap on a square: lay out the tile, flip the laid-out tile (or play it, without confirmation), or flip a tile on the board. */
  press(square: Square): void {
    const { holder } = this;
    const empty = isEmpty(holder.cells[square]!);
    if (holder.sending || (!holder.laid && !(empty && holder.picked !== null))) {
      this.onvain(square);
    } else if (holder.laid?.square === square && !settings.confirm && holder.enterPlays) {
      if (Date.now() - this.laidAt > DOUBLE_TAP_MS) holder.play();
    } else if (holder.laid?.square === square) {
      holder.turnOver();
      sound("turn");
    } else if (empty) {
      holder.place(square);
      this.laidAt = Date.now();
      sound("place");
    } else {
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
          this.laidAt = Date.now();
          sound("place");
          return;
        }
        if (square === null) {
          if (this.holder.laid) this.putBack();
          return;
        }
        // It stays picked, for a free square.
        this.holder.takeBack();
        this.onvain(square);
      },
      oncancel: () => (this.dragged = null),
    };
  }
}
