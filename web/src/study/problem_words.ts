/** The sentences for what is wrong with a position, as Python says them (`notation/errors.py`). */

import type { Reason } from "../rules/series";
import { m } from "../words";

const SENTENCES: Record<string, (params: never) => string> = {
  position_too_long: m.problem_position_too_long,
  position_spaces: m.problem_position_spaces,
  position_fields: m.problem_position_fields,
  position_turn: m.problem_position_turn,
  position_hand: m.problem_position_hand,
  position_score: m.problem_position_score,
  position_bag: m.problem_position_bag,
  position_variant: m.problem_position_variant,
  board_rows: m.problem_board_rows,
  board_row_length: m.problem_board_row_length,
  board_character: m.problem_board_character,
};

/** These share one sentence. */
const FAULTS: Record<string, (params: never) => string> = {
  seats: m.problem_seats,
  scores: m.problem_scores,
  turn: m.problem_turn,
  hand_too_large: m.problem_hand_too_large,
  too_many_of_a_digit: m.problem_too_many_of_a_digit,
  tile_count: m.problem_tile_count,
};

export function sayProblems(problems: readonly Reason[]): string {
  const sentences = problems.flatMap(({ code, params }) => SENTENCES[code]?.(params as never) ?? []);
  const faults = problems.flatMap(({ code, params }) => FAULTS[code]?.(params as never) ?? []);
  return [...sentences, ...(faults.length ? [`${m.problem_position_impossible()} ${faults.join("; ")}.`] : [])].join(" ");
}

/** Why an edit of the board or a hand is not possible. */
export const sayFault = (fault: Reason): string =>
  fault.code === "too_many_of_a_digit" ? m.study_none_left({ digit: fault.params.digit! }) : sayProblems([fault]);
