/** The state of a lesson: a position and a hand, judged by the rules without a server. */

import { boardOf, isEmpty, turnedSide, type Side } from "../rules/board";
import { explain, type Variant } from "../rules/scoring";
import type { Square } from "../rules/squares";
import type { TileHolder } from "../table/handling.svelte";
import type { Laid } from "../table/session.svelte";

export class Practice implements TileHolder {
  readonly cells: string;
  readonly sending = false;
  readonly enterPlays = true;
  picked = $state<number | null>(null);
  side = $state<Side>("+");
  laid = $state.raw<Laid | null>(null);
  laidIndex = $derived(this.laid ? this.picked : null);
  told = $derived.by(() => {
    if (!this.laid) return null;
    const { square, digit, side, flips } = this.laid;
    return explain(this.cells, { square, tile: { digit, side }, flips }, this.variant);
  });

  constructor(
    tiles: string,
    readonly hand: readonly number[],
    private variant: Variant,
    private onplay: (points: number) => void,
  ) {
    this.cells = boardOf(tiles);
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
    if (this.told && !this.told.refusal) this.onplay(this.told.points);
  }
}
