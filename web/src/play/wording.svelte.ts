/** The texts of a table: names, whose turn it is, what can be done next, the last moves. */

import { namesOf } from "../lib/players";
import { sayReason } from "../lib/refusals.svelte";
import { sayMove, writeKakuro, writeSum } from "../lib/words";
import { m } from "../words";
import { parseMove } from "../rules/moves";
import { nameOf, type Square } from "../rules/squares";
import type { Turn } from "../protocol/messages";
import type { TableSession } from "./session.svelte";
import type { Show } from "./show.svelte";
import { sayTap } from "./taps.svelte";

export class Wording {
  constructor(
    private session: TableSession,
    private show: Pick<Show, "upTo" | "latest"> = { upTo: null, latest: null },
  ) {}

  names = $derived.by(() => namesOf(this.session.table?.chairs ?? []));

  /** The phase of the board that is shown: the end comes after the last moves. */
  phase = $derived.by(() => (this.show.upTo === null ? this.session.table?.now.phase : "playing"));

  /** The seat that is to move on the board that is shown. */
  toMove = $derived.by((): number | null => {
    const { table } = this.session;
    const { upTo } = this.show;
    return (upTo === null ? table?.now.to_move : table?.turns[upTo]?.seat) ?? null;
  });

  /** Whether the visitor is to move, and has seen all moves before. */
  myTurn = $derived.by(() => this.session.myTurn && this.show.upTo === null);

  turn = $derived.by(() => {
    const { phase, toMove } = this;
    const { table } = this.session;
    if (!table) return m.connecting();
    if (phase === "waiting") return m.waiting();
    if (phase === "closed") return m.table_closed();
    if (phase === "over") return m.game_over();
    if (phase === "settling") return m.settling();
    if (table.now.paused) return m.game_paused();
    return this.myTurn ? m.your_turn() : m.player_to_move({ name: this.names[toMove!]! });
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
      if (!kakuros.length) return session.flipWouldScore ? m.scores_nothing_flip() : m.scores_nothing();
      return `${kakuros.map(writeKakuro).join("\n")}  →  ${m.points({ count: points })}`;
    }
    if (session.hinting) return m.hint_coming();
    if (session.advice) return this.hint;
    if (session.laid) return session.byClaims ? m.enter_claim() : "";
    if (session.picked !== null) return this.early ? m.try_meanwhile({ name: this.names[this.toMove!]! }) : m.choose_square();
    return this.timeouts || (this.myTurn ? m.choose_tile() : "");
  });

  /** Whether somebody else is to move before the visitor. */
  private early = $derived.by(() => this.toMove !== null && this.toMove !== this.session.mySeat);

  /** The move of another player that was just shown, in words, until the visitor does something. */
  played = $derived.by(() => {
    const { latest } = this.show;
    return latest && this.idle && !this.session.table?.you.seats.includes(latest.seat) ? this.tell(latest) : null;
  });

  /** Whether the status has nothing to say but whose turn it is. */
  idle = $derived.by(() => this.status === "" || this.status === m.choose_tile());

  private hint = $derived.by(() => {
    const { square, tile, move, points, most, lookedAhead } = this.session.advice!;
    const nothing = most === 0 ? `${m.hint_nothing_scores()} ` : "";
    if (!tile) return nothing + m.hint_square({ square });
    const say = tile.side === "+" ? m.hint_addend : m.hint_total;
    const placed = say({ digit: tile.digit, square });
    if (!move) return nothing + placed;
    if (!most) return `${placed} ${lookedAhead ? this.concession : m.hint_nothing_scores()}`;
    const worth = { points: m.points({ count: points }) };
    const { flips } = move;
    const makes = flips.length ? m.hint_turning({ ...worth, squares: flips.map(nameOf) }) : m.hint_makes(worth);
    const why = lookedAhead && points < most ? m.hint_later({ points: m.points({ count: most }) }) : "";
    return [placed, makes, why].filter(Boolean).join(" ");
  });

  /** Why a hint advises a move that scores nothing. */
  private concession = $derived.by(() => {
    const others = this.names.filter((_, seat) => seat !== this.session.mySeat);
    return others.length === 1 ? m.hint_concedes_least({ name: others[0]! }) : m.hint_concedes_least_to_others();
  });

  /** Why a tap on this square does nothing, and what can be done instead. */
  tap(square: Square): string {
    const { session } = this;
    const { now, you } = session.table!;
    if (now.phase === "over" || now.phase === "settling") return m.refusal_table_over();
    if (now.phase !== "playing") return m.refusal_not_started();
    if (session.passTo !== null) return m.pass_to({ name: this.names[session.passTo]! });
    if (you.seat === null) return m.you_watch();
    if (session.sending) return m.sending();
    if (now.paused) return m.refusal_paused();
    if (!session.hand.length) return m.no_tiles_left();
    return session.myTurn ? sayTap(session, square) : m.tap_not_your_turn({ name: this.names[now.to_move!]! });
  }

  /** The moves since the last turn of the player who takes over the device. */
  news = $derived.by(() => {
    const { table, passTo } = this.session;
    const turns = table?.turns ?? [];
    const since = turns.slice(turns.findLastIndex(({ seat }) => seat === passTo) + 1);
    return since.length ? since.map((turn) => this.tell(turn)) : [m.game_begins()];
  });

  /** A move in words, with its sums: "Ann: addend 2 on d5, flipping c5: 3 + 8 = 11, 11 points". */
  tell(turn: Turn): string {
    const sums = turn.kakuros?.map((kakuro) => writeSum(kakuro).replaceAll(" ", "\u00a0")).join("; "); // each in one line
    const move = sayMove(turn.move);
    const made = `${sums ? m.labelled({ label: move, text: sums }) : move}, ${m.points({ count: turn.points })}`;
    return m.labelled({ label: this.names[turn.seat]!, text: `${made}${turn.timed_out ? ` (${m.time_ran_out()})` : ""}` });
  }

  /** The timeouts to report: my own last one, and the last move. */
  timeouts = $derived.by(() => {
    const { table, mySeat } = this.session;
    const turns = table?.turns ?? [];
    const mine = turns.findLast(({ seat }) => seat === mySeat);
    const last = turns.at(-1);
    const shown = mine?.timed_out && mine !== last ? [mine, last] : [last];
    return shown.flatMap((turn) => (turn?.timed_out ? [this.sayTimeout(turn)] : [])).join("\n");
  });

  sayTimeout({ seat, move }: Turn): string {
    const { square, tile } = parseMove(move)!;
    const placed = { digit: tile.digit, square: nameOf(square) };
    return seat === this.session.mySeat ? m.time_out_mine(placed) : m.time_out_other({ ...placed, name: this.names[seat]! });
  }
}
