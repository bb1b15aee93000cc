/** Every reason that the rules, a table or the server may give, as one sentence in the reader's language. */

import { m } from "../paraglide/messages.js";

type Said = Record<string, string | number>;

const SENTENCES: Record<string, (params: never) => string> = {
  // The rules.
  square_taken: m.no_square_taken,
  not_adjacent: m.no_not_adjacent,
  tile_not_in_hand: m.no_tile_not_in_hand,
  game_over: m.no_table_over,
  flip_empty: m.no_flip_empty,
  flip_placed: m.no_flip_placed,
  too_many_flips: m.no_too_many_flips,
  no_shared_line: m.no_no_shared_line,
  gap: m.no_gap,
  two_totals: m.no_two_totals,
  no_total: m.no_no_total,
  total_follows: m.no_total_follows,
  stopped_by_turned: m.no_stopped_by_turned,
  stopped_by_total: m.no_stopped_by_total,
  one_addend: m.no_one_addend,
  repeated_addend: m.no_repeated_addend,
  wrong_sum: m.no_wrong_sum,
  claim_missing: m.no_claim_missing,
  claim_out_of_range: m.no_claim_out_of_range,
  nothing_to_object_to: m.no_nothing_to_object_to,
  own_move: m.no_own_move,
  already_objected: m.no_already_objected,
  already_upheld: m.no_already_upheld,
  move: m.no_move_form,
  move_flips_twice: m.no_move_form,
  square: m.no_move_form,
  // A table.
  bad_name: m.no_bad_name,
  bad_level: m.no_bad_level,
  bad_seconds: m.no_bad_seconds,
  seat_taken: m.no_seat_taken,
  no_free_seat: m.no_no_free_seat,
  already_seated: m.no_already_seated,
  not_the_host: m.no_not_the_host,
  still_here: m.no_still_here,
  not_started: m.no_not_started,
  paused: m.no_paused,
  not_your_turn: m.no_not_your_turn,
  wrong_turn: m.no_wrong_turn,
  table_over: m.no_table_over,
  not_over: m.no_not_over,
  no_hints_here: m.no_no_hints_here,
  already_asked: m.no_already_asked,
  no_move_to_take_back: m.no_no_move_to_take_back,
  draw_was_seen: m.no_draw_was_seen,
  chat_too_long: m.no_chat_too_long,
  chat_too_fast: m.no_chat_too_fast,
  // The server, and the way to it.
  no_such_table: m.no_no_such_table,
  not_found: m.no_no_such_table,
  record_not_yet: m.no_not_over,
  too_many_requests: m.no_too_many_requests,
  too_many_tables: m.no_too_many_tables,
  try_again: m.no_try_again,
  offline: m.no_offline,
};

export function sayReason(reason: { code: string; params: Said; text?: string }): string {
  return SENTENCES[reason.code]?.(reason.params as never) ?? (reason.text || m.no_broken());
}
