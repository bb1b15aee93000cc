/** The texts of a table: names, whose turn it is, what can be done next, the last moves. */

import { namesOf } from "../lib/people";
import { sayReason } from "../lib/refusals";
import { sayMove, writeKakuro, writeSum } from "../lib/words";
import { m } from "../words";
import { parseMove } from "../rules/moves";
import { nameOf } from "../rules/squares";
import type { Turn } from "../protocol/messages";
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

  /** Why the last attempt was refused. */
  refusal = $derived.by(() => {
    const reason = this.session.refusal ?? this.session.preview?.refusal;
    return reason ? sayReason(reason) : null;
  });

  /** The score of the tentative move, or else what to do next. */
  status = $derived.by(() => {
    const { session } = this;
    if (session.connectionState === "lost")
      return session.sending || session.laid ? m.reconnecting_move_kept() : m.reconnecting();
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
    return this.lapse || (session.myTurn ? m.choose_tile() : "");
  });

  private hint = $derived.by(() => {
    const { square, tile, move, points } = this.session.advice!;
    if (!tile) return m.hint_square({ square });
    const say = tile.side === "+" ? m.hint_addend : m.hint_total;
    const placed = say({ digit: tile.digit, square });
    if (!move) return placed;
    const worth = { points: m.points({ count: points }) };
    const { flips } = move;
    return `${placed} ${flips.length ? m.hint_turning({ ...worth, squares: flips.map(nameOf) }) : m.hint_makes(worth)}`;
  });

  /** The moves since the last turn of the player who takes over the device. */
  news = $derived.by(() => {
    const { table, passTo } = this.session;
    const turns = table?.turns ?? [];
    const since = turns.slice(turns.findLastIndex(({ seat }) => seat === passTo) + 1);
    return since.length ? since.map((turn) => this.tell(turn)) : [m.game_begins()];
  });

  /** A move in words, with its sums: "Ann: addend 2 on d5, turning c5: 3 + 8 = 11, 11 points". */
  tell(turn: Turn): string {
    const sums = turn.kakuros?.map((kakuro) => writeSum(kakuro).replaceAll(" ", "\u00a0")).join("; "); // each in one line
    const move = sayMove(turn.move);
    const made = `${sums ? m.labelled({ label: move, text: sums }) : move}, ${m.points({ count: turn.points })}`;
    return m.labelled({ label: this.names[turn.seat]!, text: `${made}${turn.timed_out ? ` (${m.time_ran_out()})` : ""}` });
  }

  /** The timeouts to report: my own last one, and the last move. */
  lapse = $derived.by(() => {
    const { table, mySeat } = this.session;
    const turns = table?.turns ?? [];
    const mine = turns.findLast(({ seat }) => seat === mySeat);
    const last = turns.at(-1);
    const shown = mine?.timed_out && mine !== last ? [mine, last] : [last];
    return shown.flatMap((turn) => (turn?.timed_out ? [this.sayLapse(turn)] : [])).join("\n");
  });

  sayLapse({ seat, move }: Turn): string {
    const { square, tile } = parseMove(move)!;
    const placed = { digit: tile.digit, square: nameOf(square) };
    return seat === this.session.mySeat ? m.time_out_mine(placed) : m.time_out_other({ ...placed, name: this.names[seat]! });
  }
}
