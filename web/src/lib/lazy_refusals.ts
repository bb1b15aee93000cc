/** The sentences for refusals that are seldom needed. */

import { m } from "../words";
import { LATE_REFUSALS } from "../words/generated/late_refusals";

export const SENTENCES: Record<string, (params: never) => string> = {
  ...LATE_REFUSALS,
  // A move that was typed.
  move: m.problem_move,
  move_flips_twice: m.problem_move_flips_twice,
  square: m.problem_square,
};
