/**
 * The comments of a guided first game. The first turn is led step by step. After that come two lessons, the total and the flip:
 * each waits for a turn in which it can be practised, and is given up after two turns in which it was ignored. Notes, which
 * only have to be read, come in between.
 */

import { keep, kept } from "../lib/storage";
import { writeSum } from "../lib/words";
import { frontier, tileAt, type Side } from "../rules/board";
import { parseMove, type Move } from "../rules/moves";
import { explain, type Explanation } from "../rules/scoring";
import { sumOf } from "../rules/series";
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
  /** The move that it leads to. */
  move: Move | null;
  /** No other comment follows. */
  last: boolean;
}

interface Pointer {
  squares?: readonly Square[];
  index?: number | null;
  move?: Move;
  /** The comment can be dismissed. */
  told?: boolean;
}
type Say = (step: string, text: string, pointer?: Pointer) => Comment;

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

/** The number of own moves after which lessons no longer wait for a turn in which they can be practised. */
const PATIENT = 6;
/** The number of turns in which a lesson that is ignored is offered. */
const OFFERS = 2;
/** The number of own moves after which nothing new is explained. */
const LATEST = 9;
/** The notes, in their order. */
const NOTES: readonly [step: string, text: () => string][] = [
  ["bag", m.guide_bag],
  ["differ", m.guide_differ],
];

/** Comments that lead to a move. */
const leadingTo =
  (move: Move, say: Say): Say =>
  (step, text, pointer) =>
    say(step, text, { move, ...pointer });

/** The key under which it is noted when a step first asked for something. */
const asked = (step: string): string => `${step}?`;

interface Stored {
  dismissed: string[];
  ended: boolean;
  shown?: Record<string, number>;
}

export class Guide {
  private dismissed = $state.raw<string[]>([]);
  private ended = $state(false);
  /** After how many own moves each comment was first shown; tasks apart from what only has to be read, which is shown in one turn. */
  private shown: Record<string, number> = {};

  constructor(
    private session: TableSession,
    private wording: Wording,
  ) {
    const stored = JSON.parse(kept(this.key) ?? "null") as Stored | null;
    if (stored) ({ dismissed: this.dismissed, ended: this.ended, shown: this.shown = {} } = stored);
  }

  private get key(): string {
    return `guide.${this.session.table!.table}`;
  }

  private own = $derived.by((): Move[] => {
    const { table, mySeat } = this.session;
    return (table?.turns ?? []).filter(({ seat }) => seat === mySeat).map(({ move }) => parseMove(move)!);
  });
  private plan = $derived.by(() => bestPlacement(this.session.cells, this.session.hand));

  comment = $derived.by((): Comment | null => {
    const { session } = this;
    const table = session.table;
    if (this.ended || table?.now.phase !== "playing" || session.mySeat === null) return null;
    // One thing after the other: first what the other player did.
    if (this.wording.played) return null;
    const comment = this.onTurn(this.own.length);
    if (!comment?.task && (session.advice || session.hinting)) return null;
    return comment && !this.dismissed.includes(comment.step) ? comment : null;
  });

  /** The comment after so many moves of the visitor. */
  private onTurn(made: number): Comment | null {
    const { myTurn, toMove, names } = this.wording;
    const say: Say = (step, text, { squares = [], index = null, move, told = false } = {}) => ({
      step,
      text,
      squares: [...squares],
      index,
      move: move ?? null,
      task: !told,
      last: step === "bye",
    });
    if (made === 0) return myTurn ? this.first(say) : null;
    if (!myTurn) return made === 1 ? say("drawn", m.guide_drawn({ name: names[toMove!]! }), { told: true }) : null;
    if (made > LATEST) return null;
    const flipped = this.over("flip", made) || this.ignored("flip", made) || this.own.some(({ flips }) => flips.length);
    const totalled = this.over("sides", made) || this.ignored("sides", made) || this.own.some(({ tile }) => tile.side === "=");
    const lesson = (flipped ? null : this.flip(say)) ?? (totalled ? null : this.sides(say));
    if (lesson) return lesson;
    if (!this.idle) return null;
    const note = NOTES.find(([step]) => !this.over(step, made));
    if (note) return say(note[0], note[1](), { told: true });
    if (made >= PATIENT && !flipped) return say("flip", m.guide_flip(), { told: true });
    if (made >= PATIENT && !totalled) return say("sides", m.guide_sides(), { told: true });
    return flipped && totalled ? say("bye", m.guide_bye(), { told: true }) : null;
  }

  /** Whether a comment has been dismissed, or was shown in an earlier turn to be read. */
  private over(step: string, made: number): boolean {
    return this.dismissed.includes(step) || (this.shown[step] ?? made) < made;
  }

  /** Whether other moves were made while a lesson asked for one. */
  private ignored(step: string, made: number): boolean {
    return made >= (this.shown[asked(step)] ?? made) + OFFERS;
  }

  private get idle(): boolean {
    return this.session.picked === null && !this.session.laid;
  }

  /** The digit of the tile in hand or on the board. */
  private get held(): number | null {
    const { laid, picked, hand } = this.session;
    return laid?.digit ?? (picked === null ? null : hand[picked]!);
  }

  /** A Kakuro is laid out: it only has to be played. */
  private made(say: Say, step: string): Comment | null {
    const [kakuro] = this.session.preview?.kakuros ?? [];
    return kakuro ? say(step, m.guide_play({ sum: writeSum(kakuro) }), { move: parseMove(this.session.written())! }) : null;
  }

  /** A tile on the board has been flipped where that is not allowed: how to flip it back. */
  private unflip(say: Say, step: string): Comment | null {
    const { laid, preview, cells } = this.session;
    const flip = preview?.refusal ? laid?.flips[0] : undefined;
    if (flip === undefined) return null;
    return say(step, m.guide_unflip({ digit: tileAt(cells, flip)!.digit }), { squares: [flip] });
  }

  /** A tile of the hand as a total, step by step; null if none scores. */
  private sides(say: Say): Comment | null {
    const { laid, cells, hand, side } = this.session;
    const plan = bestPlacement(cells, hand, "=");
    if (!plan) return null;
    const { square, tile } = plan.move;
    const index = hand.indexOf(tile.digit);
    const squares = [square];
    const lead = leadingTo(plan.move, say);
    const settled = this.made(lead, "sides") ?? this.unflip(lead, "sides");
    if (settled) return settled;
    if (this.held !== tile.digit) {
      return lead("sides", m.guide_sides_pick({ digit: tile.digit }), { squares, index });
    }
    if (side === "+") return lead("sides", m.guide_sides_turn(), { squares, index });
    if (laid && laid.square !== square) return lead("sides", m.guide_elsewhere(), { squares });
    return lead("sides", m.guide_sides_square({ sum: writeSum(plan.told.kakuros[0]!) }), { squares });
  }

  /** A flip that scores, step by step; null if there is none. */
  private flip(say: Say): Comment | null {
    const { laid, cells, hand, side } = this.session;
    const plan = bestFlip(cells, hand);
    if (!plan) return null;
    const { square, tile, flips } = plan;
    const index = hand.indexOf(tile.digit);
    const lead = leadingTo(plan, say);
    const done = this.made(lead, "flip");
    if (done) return done;
    if (this.held === tile.digit && side === "=") return lead("flip", m.guide_yellow(), { squares: [square], index });
    if (laid?.square === square && laid.digit === tile.digit) {
      // In place of another tile, if one was flipped.
      return lead("flip", m.guide_flip_tap({ digit: tileAt(cells, flips[0]!)!.digit }), { squares: flips });
    }
    return this.unflip(lead, "flip") ?? lead("flip", m.guide_flip_place({ digit: tile.digit }), { squares: [square], index });
  }

  /** The first turn, step by step. */
  private first(say: Say): Comment | null {
    const { laid, hand, side } = this.session;
    const done = this.made(say, "play");
    if (done || !this.plan) return done;
    const lead = leadingTo(this.plan.move, say);
    const flipped = this.unflip(lead, "unflip");
    if (flipped) return flipped;
    const { square, tile } = this.plan.move;
    const [kakuro] = this.plan.told.kakuros;
    const index = hand.indexOf(tile.digit);
    const { total } = kakuro!;
    if (this.held !== tile.digit) {
      const squares = kakuro!.squares.filter((each) => each !== square);
      return lead("total", m.guide_total({ total, low: total, high: total + 10, digit: tile.digit }), { squares, index });
    }
    if (laid && laid.square !== square) return lead("elsewhere", m.guide_elsewhere(), { squares: [square] });
    if (side === "=") return lead("yellow", m.guide_yellow(), { squares: [square], index });
    const fits = sumOf(kakuro!) === total ? m.guide_square_exact : m.guide_square;
    return lead("square", fits({ sum: writeSum(kakuro!), total }), { squares: [square] });
  }

  /** Note that a comment is on the screen. */
  note({ step, task, last }: Comment): void {
    const key = task ? asked(step) : step;
    if (last || key in this.shown) return;
    this.shown[key] = this.own.length;
    this.keep();
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
    const { dismissed, ended, shown } = this;
    keep(this.key, JSON.stringify({ dismissed, ended, shown } satisfies Stored));
  }
}
