/** The table in words: who is who, whose turn it is, what may be done next, what has just been done. */

import { namesOf } from "../lib/people";
import { sayReason } from "../lib/refusals";
import { writeKakuro } from "../lib/words";
import { m } from "../paraglide/messages.js";
import { nameOf } from "../rules/squares";
import type { TableSession } from "./session.svelte";

export class Wording {
  constructor(private session: TableSession) {}

  names = $derived.by(() => namesOf(this.session.table?.chairs ?? []));

  turn = $derived.by(() => {
    const { table, myTurn } = this.session;
    if (!table) return m.connecting();
    const { phase, to_move } = table.now;
    if (phase === "waiting") return m.waiting();
    if (phase === "closed") return m.table_closed();
    if (phase === "over") return m.game_over();
    if (phase === "settling") return m.settling();
    if (table.now.paused) return m.game_paused();
    return myTurn ? m.your_turn() : m.player_to_move({ name: this.names[to_move!]! });
  });

  /** Why what was tried cannot be done. */
  refusal = $derived.by(() => {
    const reason = this.session.refusal ?? this.session.preview?.refusal;
    return reason ? sayReason(reason) : null;
  });

  /** What the tentative move comes to, or else what to do next. */
  status = $derived.by(() => {
    const { session } = this;
    if (session.line === "lost") return session.sending || session.laid ? m.reconnecting_move_kept() : m.reconnecting();
    if (this.refusal !== null) return this.refusal;
    if (session.sending) return m.sending();
    if (session.laid && session.preview) {
      const { kakuros, points } = session.preview;
      return kakuros.length ? `${kakuros.map(writeKakuro).join("\n")}  →  ${m.points({ count: points })}` : m.scores_nothing();
    }
    if (session.hinting) return m.hint_coming();
    if (session.advice) return this.hint;
    if (session.laid) return session.byClaims ? m.enter_claim() : "";
    if (session.picked !== null) return m.choose_square();
    return session.myTurn ? m.choose_tile() : "";
  });

  private hint = $derived.by(() => {
    const { square, tile, move, points } = this.session.advice!;
    if (!tile) return m.hint_square({ square });
    const say = tile.side === "+" ? m.hint_addend : m.hint_total;
    const placed = say({ digit: tile.digit, square });
    if (!move) return placed;
    const worth = { points: m.points({ count: points }) };
    const { flips } = move;
    return `${placed} ${flips.length ? m.hint_turning({ ...worth, squares: flips.map(nameOf).join(", ") }) : m.hint_makes(worth)}`;
  });

  /** The last move, for whoever takes the device over. */
  news = $derived.by(() => {
    const last = this.session.table?.turns.at(-1);
    return last ? `${this.names[last.seat]}: ${last.move}, ${m.points({ count: last.points })}` : m.game_begins();
  });
}
