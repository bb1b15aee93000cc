/** The board of a lesson or a puzzle: where the tile may go, the tentative move with its arithmetic, and the labels. */

import type { BoardState, Light, Note } from "../board/state";
import { lightsOfKakuros } from "../lib/kakuro_lights";
import { sayReason } from "../lib/refusals.svelte";
import { saySquare } from "../lib/words";
import { m } from "../words";
import { frontier, tileAt } from "../rules/board";
import { after } from "../rules/moves";
import { sumOf, writeSeries } from "../rules/series";
import { squareOf, type Square } from "../rules/squares";
import { Handling } from "../play/handling.svelte";
import { lightsOfRefusal } from "../play/nearmiss";
import { TapNotes, inHand, sayTap } from "../play/taps.svelte";
import type { Practice } from "./practice.svelte";

export class PracticeView {
  readonly handling: Handling;
  readonly taps: TapNotes;

  constructor(private practice: Practice) {
    this.handling = new Handling(practice, (square) => this.taps.show(square, sayTap(practice, square)));
    this.taps = new TapNotes(
      () => inHand(practice),
      () => {}, // The status beside the board is a live region.
    );
  }

  private legal = $derived.by(() => {
    const { picked, laid, cells } = this.practice;
    return picked === null || (laid && !this.handling.dragged) ? null : new Set(frontier(cells));
  });

  private note = $derived.by((): Note | null => {
    const { told, laid, whyNothing } = this.practice;
    if (this.taps.note) return this.taps.note;
    if (!laid || this.handling.dragged) return null;
    const reason = told?.refusal;
    if (!reason) return whyNothing?.note ?? null;
    const named = reason.params.flip ?? reason.params.square;
    const square = typeof named === "string" ? squareOf(named) : null;
    return { square: square ?? laid.square, text: sayReason(reason) };
  });

  private lights = $derived.by((): Light[] => {
    const { told, whyNothing } = this.practice;
    if (this.handling.dragged) return [];
    if (told?.refusal) return lightsOfRefusal(told);
    const made = told?.kakuros ?? [];
    return whyNothing?.lights ?? lightsOfKakuros(made);
  });

  board = $derived.by((): BoardState => {
    const { cells, picked, laid, hand, side } = this.practice;
    return {
      cells,
      stones: [],
      legal: this.legal,
      held: picked !== null && !laid ? { digit: hand[picked]!, side } : null,
      tentative: laid && !this.handling.dragged ? { square: laid.square, tile: laid, flips: laid.flips } : null,
      lights: this.lights,
      note: this.note,
    };
  });

  private shown = $derived.by(() => {
    const { cells, laid } = this.practice;
    return laid ? after(cells, { square: laid.square, tile: laid, flips: laid.flips }) : cells;
  });

  describe = (square: Square): string => saySquare(square, tileAt(this.shown, square), false, this.legal?.has(square) ?? false);

  /** The score of the tentative move, or else what to do next. */
  status = $derived.by((): string => {
    const { told, picked } = this.practice;
    if (told?.refusal) return sayReason(told.refusal);
    if (told?.kakuros.length) return told.kakuros.map((series) => `${writeSeries(series)} = ${sumOf(series)}`).join("\n");
    if (told) return m.scores_nothing();
    return picked === null ? m.choose_tile() : m.choose_square();
  });

  /** The sentence that the eye finds on the board. */
  unseen = $derived.by(() => this.taps.note?.text ?? this.practice.whyNothing?.text);
}
