/** A tap that does nothing is answered by one short sentence at its square, until the next action or for a few seconds. */

import type { Note } from "../board/state";
import { isEmpty, tileAt } from "../rules/board";
import type { Square } from "../rules/squares";
import { m } from "../words";
import type { TileHolder } from "./handling.svelte";

const SHOWN_MS = 4_000;
/** For a longer sentence. */
const LASTING_MS = 12_000;

export class TapNotes {
  private shown = $state.raw<{ note: Note; situation: string; lasting: boolean } | null>(null);
  private timer = 0;
  note = $derived.by(() => (this.shown?.situation === this.situation() ? this.shown.note : null));

  constructor(
    /** A value that changes with every action of the visitor: the sentence is then out of date. */
    private situation: () => string,
    /** For the live region. */
    private say: (text: string) => void,
  ) {}

  /** A lasting sentence also stays while others move. */
  show(square: Square, text: string, lasting = false): void {
    this.shown = { note: { square, text, tone: "calm" }, situation: this.situation(), lasting };
    this.say(text);
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => (this.shown = null), lasting ? LASTING_MS : SHOWN_MS);
  }

  /** Somebody has moved. */
  moved(): void {
    if (!this.shown?.lasting) this.shown = null;
  }

  stop(): void {
    clearTimeout(this.timer);
  }
}

/** What a player may do instead of tapping this square. */
export function sayTap({ cells, picked }: Pick<TileHolder, "cells" | "picked">, square: Square): string {
  if (isEmpty(cells[square]!)) return m.tap_pick_first();
  return picked === null ? m.tap_flip_later({ digit: tileAt(cells, square)!.digit }) : m.tap_taken();
}

/** The tile in hand, as part of a situation. */
export const inHand = ({ picked, side, laid }: Pick<TileHolder, "picked" | "side" | "laid">): string =>
  JSON.stringify([picked, side, laid]);
