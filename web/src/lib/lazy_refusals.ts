/** The sentences for refusals that are seldom needed. */

import { m } from "../words";
import { LAZY_REFUSALS } from "../words/generated/lazy_refusals";

export const SENTENCES: Record<string, (params: never) => string> = {
  ...LAZY_REFUSALS,
  // A move that was typed.
  move: m.problem_move,
  move_flips_twice: m.problem_move_flips_twice,
  square: m.problem_square,
};
