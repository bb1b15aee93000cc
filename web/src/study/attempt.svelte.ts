/** Solving one puzzle: answers until it is solved or shown. The first answer is the one that counts. */

import { Practice } from "../pages/practice.svelte";
import { PracticeView } from "../pages/practice_view.svelte";
import { writeMove, type Move } from "../rules/moves";
import { m } from "../words";
import { claimIsRight, type Puzzle } from "./puzzles";

/** Whether a legal move with these points solves a puzzle. */
export const isAnswer = ({ answers, best }: Pick<Puzzle, "answers" | "best">, move: Move, points: number): boolean =>
  answers ? answers.includes(writeMove(move)) : points === best;

/** The sentence for a wrong answer, with its worth. */
export function sayWrong({ kind, best }: Pick<Puzzle, "kind" | "best">, points: number): string {
  if (kind === "look_further") return m.puzzle_wrong_further({ count: points });
  if (kind === "win") return m.puzzle_wrong_win({ count: points });
  return m.puzzle_wrong({ count: points, best });
}

export class Attempt {
  readonly practice: Practice;
  readonly view: PracticeView;
  puzzle = $state.raw<Puzzle>(undefined as never);
  /** The moves that were wrong. */
  wrong = $state.raw<string[]>([]);
  /** The points of the last wrong answer; null once the tile is moved. */
  wrongPoints = $state<number | null>(null);
  outcome = $state<"open" | "solved" | "shown">("open");
  /** The move that solved it, or one that does. */
  found = $state("");

  constructor(
    puzzle: Puzzle,
    private onanswer: (right: boolean) => void,
  ) {
    this.practice = new Practice(puzzle.board, puzzle.hand, puzzle.variant, (points, move) => this.played(points, move));
    this.view = new PracticeView(this.practice);
    this.begin(puzzle);
  }

  /** Go on with another puzzle on the same board. */
  begin(puzzle: Puzzle): void {
    this.puzzle = puzzle;
    this.practice.variant = puzzle.variant;
    this.practice.begin(puzzle.board, puzzle.hand);
    this.wrong = [];
    this.wrongPoints = null;
    this.found = "";
    this.outcome = "open";
  }

  /** The sentence for the last wrong answer; empty if there is none. */
  get verdict(): string {
    return this.wrongPoints === null ? "" : sayWrong(this.puzzle, this.wrongPoints);
  }

  /** Something was answered, right or wrong. */
  get tried(): boolean {
    return this.outcome !== "open" || this.wrong.length > 0;
  }

  /** The first answer was right. */
  get atOnce(): boolean {
    return this.outcome === "solved" && this.wrong.length === 0;
  }

  private played(points: number, move: Move): void {
    if (this.outcome !== "open" || this.puzzle.claim) return;
    const right = isAnswer(this.puzzle, move, points);
    const text = writeMove(move);
    if (right) {
      this.found = text;
      this.outcome = "solved";
    } else {
      this.wrongPoints = points;
      this.wrong = [...this.wrong, text];
    }
    this.onanswer(right);
  }

  /** The answer to a claim: is it right? */
  judge(saysRight: boolean): void {
    if (this.outcome !== "open" || !this.puzzle.claim) return;
    const right = saysRight === claimIsRight(this.puzzle);
    this.found = this.puzzle.claim.move;
    if (!right) this.wrong = [this.found];
    this.outcome = right ? "solved" : "shown";
    this.onanswer(right);
  }

  /** Show the answer. It is a wrong one, if nothing has been tried. */
  reveal(): void {
    if (this.outcome !== "open") return;
    const first = !this.tried;
    this.found = this.puzzle.answer;
    this.outcome = "shown";
    if (first) this.onanswer(false);
  }

  stop(): void {
    this.view.taps.stop();
  }
}
