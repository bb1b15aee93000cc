/** The comments of a guided first game: what to look at and what to do next, for the first turns. */

import { keep, kept } from "../lib/kept";
import { writeSum } from "../lib/words";
import { frontier, type Side } from "../rules/board";
import type { Move } from "../rules/moves";
import { explain, type Explanation } from "../rules/scoring";
import type { Square } from "../rules/squares";
import { m } from "../words";
import { scoringFlips } from "./flipping.svelte";
import type { TableSession } from "./session.svelte";
import type { Wording } from "./wording.svelte";

export interface Comment {
  /** The name of the step; dismissing a comment dismisses its whole step. */
  step: string;
  text: string;
  /** The squares that it points at. */
  squares: Square[];
  /** The tile of the hand that it points at. */
  index: number | null;
  /** It asks for something to be done now, and goes when that is done. */
  task: boolean;
  /** No other comment follows. */
  last: boolean;
}

type Say = (step: string, text: string, squares?: readonly Square[], index?: number | null) => Comment;

interface Plan {
  move: Move;
  told: Explanation;
}

/** Every placement of a tile of the hand with this side up. */
function* placements(cells: string, hand: readonly number[], side: Side): Generator<Move> {
  for (const square of frontier(cells)) {
    for (const digit of new Set(hand)) yield { square, tile: { digit, side }, flips: [] };
  }
}

/** The placement that scores most without a flip, with what it makes; null if none scores. */
export function bestPlacement(cells: string, hand: readonly number[], side: Side = "+"): Plan | null {
  let best: Plan | null = null;
  for (const move of placements(cells, hand, side)) {
    const told = explain(cells, move);
    if (told.points > (best?.told.points ?? 0)) best = { move, told };
  }
  return best;
}

/** The addend that scores most together with a flip and nothing without it; null if there is none. */
export function bestFlip(cells: string, hand: readonly number[]): Move | null {
  let best: Move | null = null;
  let most = 0;
  for (const move of placements(cells, hand, "+")) {
    if (explain(cells, move).points) continue;
    const [flip] = scoringFlips(cells, move, "standard");
    if (!flip || flip.points <= most) continue;
    most = flip.points;
    best = { ...move, flips: [flip.square] };
  }
  return best;
}

/** The last turn that has a comment. */
const LAST = 4;

export class Guide {
  private dismissed = $state.raw<string[]>([]);
  private ended = $state(false);

  constructor(
    private session: TableSession,
    private wording: Wording,
  ) {
    const stored = JSON.parse(kept(this.key) ?? "null") as { dismissed: string[]; ended: boolean } | null;
    if (stored) ({ dismissed: this.dismissed, ended: this.ended } = stored);
  }

  private get key(): string {
    return `guide.${this.session.table!.table}`;
  }

  private plan = $derived.by(() => bestPlacement(this.session.cells, this.session.hand));

  comment = $derived.by((): Comment | null => {
    const { session } = this;
    const table = session.table;
    if (this.ended || table?.now.phase !== "playing" || session.mySeat === null) return null;
    if (session.advice || session.hinting) return null;
    const comment = this.onTurn(table.turns.filter(({ seat }) => seat === session.mySeat).length);
    return comment && !this.dismissed.includes(comment.step) ? comment : null;
  });

  /** The comment after so many moves of the visitor. */
  private onTurn(made: number): Comment | null {
    const { session } = this;
    const say: Say = (step, text, squares = [], index = null) => ({
      step,
      text,
      squares: [...squares],
      index,
      task: made === 0,
      last: made === LAST,
    });
    if (made === 0) return session.myTurn ? this.first(say) : null;
    if (!session.myTurn) {
      const name = this.wording.names[session.table!.now.to_move!]!;
      return made === 1 ? say("drawn", m.guide_drawn({ name })) : null;
    }
    switch (made) {
      case 1:
        return this.sides(say);
      case 2:
        return this.flip(say);
      case 3:
        return this.idle ? say("bag", m.guide_bag()) : null;
      case LAST:
        return this.idle ? say("bye", m.guide_bye()) : null;
      default:
        return null;
    }
  }

  private get idle(): boolean {
    return this.session.picked === null && !this.session.laid;
  }

  /** Both sides of a tile; if a total scores now, with its tile and its square. */
  private sides(say: Say): Comment | null {
    const { laid, cells, hand } = this.session;
    const plan = laid ? null : bestPlacement(cells, hand, "=");
    if (plan) return say("sides", m.guide_sides(), [plan.move.square], hand.indexOf(plan.move.tile.digit));
    return this.idle ? say("sides", m.guide_sides()) : null;
  }

  /** The flip; if one scores now, with everything it needs. */
  private flip(say: Say): Comment | null {
    const { laid, side, cells, hand } = this.session;
    const plan = laid?.flips.length ? null : bestFlip(cells, hand);
    if (plan) {
      const { square, tile, flips } = plan;
      if (!laid) return say("flip", m.guide_flip(), [square, ...flips], hand.indexOf(tile.digit));
      const asPlanned = laid.square === square && laid.digit === tile.digit && side === tile.side;
      return asPlanned ? say("flip", m.guide_flip(), flips) : null;
    }
    return this.idle ? say("flip", m.guide_flip()) : null;
  }

  /** The first turn, step by step. */
  private first(say: Say): Comment | null {
    const { laid, preview, picked, hand, side } = this.session;
    if (preview?.kakuros.length) return say("play", m.guide_play({ sum: writeSum(preview.kakuros[0]!) }));
    if (!this.plan) return null;
    const { square, tile } = this.plan.move;
    const [kakuro] = this.plan.told.kakuros;
    const index = hand.indexOf(tile.digit);
    const { total } = kakuro!;
    if ((laid?.digit ?? (picked === null ? null : hand[picked])) !== tile.digit) {
      return say(
        "total",
        m.guide_total({ total, low: total, high: total + 10, digit: tile.digit }),
        kakuro!.squares.filter((each) => each !== square),
        index,
      );
    }
    if (laid && laid.square !== square) return say("elsewhere", m.guide_elsewhere(), [square]);
    if (side === "=") return say("yellow", m.guide_yellow(), [square], index);
    return say("square", m.guide_square({ sum: writeSum(kakuro!), total }), [square]);
  }

  /** The comment has been read: hide it; after the last one the guide ends. */
  dismiss(): void {
    if (!this.comment) return;
    if (this.comment.last) return this.end();
    this.dismissed = [...this.dismissed, this.comment.step];
    this.keep();
  }

  end(): void {
    this.ended = true;
    this.keep();
  }

  private keep(): void {
    keep(this.key, JSON.stringify({ dismissed: this.dismissed, ended: this.ended }));
  }
}
