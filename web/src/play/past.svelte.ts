/** An earlier position that is shown while the game goes on. */

import { m } from "../words";
import { boardAfter, scoreLines } from "./history";
import type { TableSession } from "./session.svelte";

export class Past {
  /** After how many moves the board is shown; null for the board as it is now. */
  at = $state<number | null>(null);

  constructor(private session: TableSession) {}

  private turns = $derived.by(() => this.session.table?.turns ?? []);

  /** The move that led to the board that is shown; null at the start of the game. */
  turn = $derived(this.at === null ? null : (this.turns[this.at - 1] ?? null));

  cells = $derived.by(() => (this.at === null ? this.session.cells : boardAfter(this.at, this.turns, this.session.cells)));

  scores = $derived.by(() => {
    const { at, session } = this;
    const lines = scoreLines(this.turns, session.table?.chairs.length ?? 0);
    return lines.map((line) => line[at ?? this.turns.length] ?? 0);
  });

  /** The description of the shown position. */
  words = $derived.by(() => (this.at ? m.looking_back({ turn: this.at, count: this.turns.length }) : m.looking_back_start()));

  /** Whether the shown move has been taken back meanwhile. */
  gone = $derived(this.at !== null && this.at > this.turns.length);

  /** Whether there is a move in this direction. */
  leads(by: -1 | 1): boolean {
    const to = (this.at ?? 0) + by;
    return to >= 0 && to <= this.turns.length;
  }
}
