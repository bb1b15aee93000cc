/** The animation of a move: the tile is placed, Kakuros light up, the points fly, the pawn moves. */

import { calm } from "../board/motion";
import type { FlightState, Light } from "../board/state";
import { sound } from "../lib/sound";
import { parseMove } from "../rules/moves";
import type { Square } from "../rules/squares";
import { lightsOf } from "./history";
import type { Turn } from "../protocol/messages";

/** The least time for which Kakuros are lit; at a slow pace it is longer. */
const LIT_MS = 1_800;
const BEFORE_FLIGHT_MS = 240;

export class Show {
  /** The scores that the pawns show; they follow the real ones with the animation. */
  scores = $state.raw<number[]>([]);
  lights = $state.raw<Light[]>([]);
  /** How many turns are on the screen while others wait to be shown; null if all are. */
  upTo = $state<number | null>(null);
  /** The move that was just made. */
  latest = $state.raw<Turn | null>(null);
  /** The square of its tile. */
  placed = $state<Square | null>(null);
  /** Points in flight. Those of one move continue when the next is made. */
  flights = $state.raw<FlightState[]>([]);
  /** The timers of points that are shown on the board before they fly. */
  private waiting = $state.raw<number[]>([]);
  /** Whether points are in flight; the pawns wait for them. */
  busy = $derived(this.waiting.length + this.flights.length > 0);
  private resting = 0;

  /** Set the scores without animation. */
  settle(scores: number[]): void {
    this.waiting.forEach(clearTimeout);
    this.waiting = [];
    this.flights = [];
    this.scores = scores;
    this.latest = null;
  }

  move(turn: Turn, scores: number[], shownMs: number): void {
    const { square, flips } = parseMove(turn.move)!;
    sound(flips.length ? "turn" : "place");
    this.latest = turn;
    this.placed = square;
    this.lights = turn.points ? lightsOf(turn) : [];
    clearTimeout(this.resting);
    this.resting = window.setTimeout(() => this.rest(), Math.max(LIT_MS, shownMs));
    if (turn.points) this.send(turn, square, scores[turn.seat]!);
  }

  /** Animate the points of a move to the pawn of its seat, which then moves to the new score. */
  private send({ seat, points }: Turn, square: Square, score: number): void {
    const arrive = () => {
      this.flights = this.flights.filter((each) => each !== flight);
      this.scores = this.scores.map((each, at) => (at === seat ? score : each));
      sound("score");
    };
    const flight: FlightState = { text: `+${points}`, square, score: score - points, onend: arrive };
    if (calm()) {
      arrive();
      return;
    }
    const timer = window.setTimeout(() => {
      this.waiting = this.waiting.filter((each) => each !== timer);
      this.flights = [...this.flights, flight];
    }, BEFORE_FLIGHT_MS);
    this.waiting = [...this.waiting, timer];
  }

  private rest(): void {
    this.lights = [];
    this.latest = null;
    this.placed = null;
  }

  stop(): void {
    this.waiting.forEach(clearTimeout);
    clearTimeout(this.resting);
  }
}
