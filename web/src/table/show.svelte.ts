/** How a move is shown when it has been made: the tile lies, the Kakuros light up, the sum flies, the pawn walks. */

import { calm } from "../board/motion";
import type { Light } from "../board/state";
import { sound } from "../lib/sound";
import { squaresOf, writeSum } from "../lib/words";
import { parseMove } from "../rules/moves";
import type { Square } from "../rules/squares";
import type { Turn } from "./protocol";

const LIT_MS = 1_800;
const BEFORE_FLIGHT_MS = 240;

export class Show {
  /** The scores as the pawns stand; they follow the real ones with the animation. */
  scores = $state.raw<number[]>([]);
  lights = $state.raw<Light[]>([]);
  /** Where a tile has just been put down. */
  placed = $state<Square | null>(null);
  flight = $state.raw<{ text: string; square: Square; score: number; onend: () => void } | null>(null);
  /** Points are on their way: until they arrive the pawns wait. */
  busy = $state(false);
  private timers: number[] = [];

  /** Take the scores as they are, without ado. */
  settle(scores: number[]): void {
    this.scores = scores;
    this.flight = null;
    this.busy = false;
  }

  move(turn: Turn, scores: number[]): void {
    this.timers.forEach(clearTimeout);
    this.timers = [];
    const move = parseMove(turn.move)!;
    sound(move.flips.length ? "turn" : "place");
    this.placed = move.square;
    this.lights = turn.points ? lightsOf(turn) : [];
    this.timers.push(window.setTimeout(() => this.rest(), LIT_MS));
    if (!turn.points) {
      this.settle(scores);
      return;
    }
    const arrive = () => {
      this.settle(scores);
      sound("score");
    };
    if (calm()) {
      arrive();
    } else {
      this.busy = true;
      const score = this.scores[turn.seat] ?? 0;
      const fly = () => (this.flight = { text: `+${turn.points}`, square: move.square, score, onend: arrive });
      this.timers.push(window.setTimeout(fly, BEFORE_FLIGHT_MS));
    }
  }

  private rest(): void {
    this.lights = [];
    this.placed = null;
  }

  stop(): void {
    this.timers.forEach(clearTimeout);
  }
}

export const lightsOf = (turn: Pick<Turn, "kakuros">): Light[] =>
  (turn.kakuros ?? []).map((kakuro) => ({ squares: squaresOf(kakuro.squares), text: writeSum(kakuro), tone: "made" }));
