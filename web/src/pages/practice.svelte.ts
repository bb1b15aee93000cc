/** The state of a lesson or a puzzle: a position and a hand, judged by the rules without a server. */

import { isEmpty, turnedSide, type Side } from "../rules/board";
import { parseMove, type Move } from "../rules/moves";
import { explain, type Variant } from "../rules/scoring";
import type { Square } from "../rules/squares";
import type { TileHolder } from "../play/handling.svelte";
import { whyNothing } from "../play/nearmiss";
import type { Laid } from "../play/session.svelte";

export class Practice implements TileHolder {
  cells = $state.raw("");
  hand = $state.raw<readonly number[]>([]);
  readonly sending = false;
  readonly enterPlays = true;
  picked = $state<number | null>(null);
  side = $state<Side>("+");
  laid = $state.raw<Laid | null>(null);
  laidIndex = $derived(this.laid ? this.picked : null);
  private move = $derived.by((): Move | null => {
    if (!this.laid) return null;
    const { square, digit, side, flips } = this.laid;
    return { square, tile: { digit, side }, flips };
  });
  told = $derived.by(() => this.move && explain(this.cells, this.move, this.variant));
  whyNothing = $derived(this.move && this.told && whyNothing(this.told, this.move));

  constructor(
    cells: string,
    hand: readonly number[],
    public variant: Variant,
    private onplay: (points: number, move: Move) => void,
  ) {
    this.begin(cells, hand);
  }

  /** Go on from this position. */
  begin(cells: string, hand: readonly number[]): void {
    this.cells = cells;
    this.hand = hand;
    this.picked = this.laid = null;
    this.side = "+";
  }

  /** Lay out a move, given in notation. */
  lay(text: string): void {
    const { square, tile, flips } = parseMove(text)!;
    this.picked = this.hand.indexOf(tile.digit);
    this.side = tile.side;
    this.laid = { square, digit: tile.digit, side: tile.side, flips };
  }

  pick(index: number): void {
    this.laid = null;
    if (this.picked !== index) this.side = "+";
    this.picked = this.picked === index ? null : index;
  }

  turnOver(): void {
    this.side = turnedSide(this.side);
    if (this.laid) this.laid = { ...this.laid, side: this.side };
  }

  place(square: Square): void {
    if (this.picked === null || !isEmpty(this.cells[square]!)) return;
    this.laid = { square, digit: this.hand[this.picked]!, side: this.side, flips: this.laid?.flips ?? [] };
  }

  flip(square: Square): void {
    const { laid } = this;
    if (!laid) return;
    const others = laid.flips.filter((each) => each !== square);
    const more = this.variant === "expert" ? [...others, square] : [square];
    this.laid = { ...laid, flips: (others.length < laid.flips.length ? others : more).sort((a, b) => a - b) };
  }

  takeBack(): void {
    this.laid = null;
  }

  play(): void {
    if (this.move && this.told && !this.told.refusal) this.onplay(this.told.points, this.move);
  }
}
