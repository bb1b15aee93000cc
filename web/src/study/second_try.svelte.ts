/** A turn of a reviewed game that is tried again: until a move is found that is as good as the best. */

import { Refusal } from "../lib/api";
import { Practice } from "../pages/practice.svelte";
import { PracticeView } from "../pages/practice_view.svelte";
import { writeMove } from "../rules/moves";
import { digitsOf, readPosition } from "./position";
import type { Ranking } from "./ranking";
import type { ReportMove } from "./report";

/** Up to this loss, in points, a move is as good as the best one: the limit of the class. */
const AS_GOOD_AS_BEST = 0.5;

export interface Verdict {
  kind: "best" | "equal" | "worse";
  points: number;
  /** By how much the move is worth less than the best; null where it could not be ranked. */
  loss: number | null;
}

export class SecondTry {
  readonly practice: Practice;
  readonly view: PracticeView;
  verdict = $state.raw<Verdict | null>(null);
  busy = $state(false);
  found = $derived(this.verdict !== null && this.verdict.kind !== "worse");

  constructor(
    readonly turn: Pick<ReportMove, "number" | "seat" | "position" | "move" | "points" | "best">,
    /** Ranks the plays of the position, to judge moves that are not the best. */
    private rank: (position: string) => Promise<Ranking>,
  ) {
    const { cells, hands, toMove, variant } = readPosition(turn.position).position!;
    this.practice = new Practice(cells, digitsOf(hands[toMove]!)!, variant, (points, move) => {
      void this.judge(points, writeMove(move));
    });
    this.view = new PracticeView(this.practice);
  }

  private async judge(points: number, move: string): Promise<void> {
    const { best, position } = this.turn;
    if (this.busy || this.found) return;
    if (move === best.move) {
      this.verdict = { kind: "best", points, loss: 0 };
      return;
    }
    this.busy = true;
    try {
      const { plays } = await this.rank(position);
      const worth = (text: string): number => plays.find((play) => play.move === text)!.worth;
      const loss = worth(best.move) - worth(move);
      this.verdict = { kind: loss < AS_GOOD_AS_BEST ? "equal" : "worse", points, loss };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.verdict = { kind: "worse", points, loss: null };
    }
    this.busy = false;
    if (!this.found) this.view.handling.putBack();
  }

  /** Lay out the best move. */
  showBest(): void {
    this.verdict = null;
    this.practice.lay(this.turn.best.move);
  }
}
