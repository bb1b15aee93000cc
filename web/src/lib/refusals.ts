/** The sentence for each refusal of the rules, a table or the server. */

import { m } from "../words";
import { REFUSAL_MESSAGES } from "../words/generated/refusal";

type Params = Record<string, string | number>;

const SENTENCES: Record<string, (params: never) => string> = {
  ...REFUSAL_MESSAGES,
  // A move that was typed.
  move: m.problem_move,
  move_flips_twice: m.problem_move_flips_twice,
  square: m.problem_square,
};

export function sayReason(reason: { code: string; params: Params; text?: string }): string {
  return SENTENCES[reason.code]?.(reason.params as never) ?? (reason.text || m.refusal_unknown());
}
