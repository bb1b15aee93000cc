/** The board as this visitor sees it: what lies there, what is tentative, what is lit, and what each square is called. */

import type { BoardState, Light, Mark, Note } from "../board/state";
import { initialsOf } from "../lib/people";
import { sayReason } from "../lib/refusals";
import { saySquare, squaresOf, writeSum } from "../lib/words";
import { m } from "../paraglide/messages.js";
import { frontier, tileAt } from "../rules/board";
import { after, parseMove } from "../rules/moves";
import { squareOf, type Square } from "../rules/squares";
import type { Handling } from "./handling.svelte";
import type { Turn } from "./protocol";
import type { TableSession } from "./session.svelte";
import { lightsOf, type Show } from "./show.svelte";

export class BoardView {
  /** A move in the list that somebody points at. */
  pointed = $state.raw<Turn | null>(null);

  constructor(
    private session: TableSession,
    private handling: Handling,
    private show: Show,
  ) {}

  private stones = $derived.by(() => squaresOf(this.session.table?.stones ?? []));

  /** Where the tile in hand may go. */
  private legal = $derived.by(() => {
    const { picked, laid, cells } = this.session;
    return picked === null || (laid && !this.handling.dragged) ? null : new Set(frontier(cells));
  });

  private lights = $derived.by((): Light[] => {
    const { preview, laid } = this.session;
    if (preview && laid) {
      return preview.kakuros.map((kakuro) => ({
        squares: squaresOf(kakuro.squares),
        text: writeSum(kakuro),
        tone: "made",
      }));
    }
    if (this.pointed) return lightsOf(this.pointed);
    // The sum of the last move would lie over what is laid or hinted.
    return laid || this.session.advice ? [] : this.show.lights;
  });

  private note = $derived.by((): Note | null => {
    const { laid, refusal, preview } = this.session;
    const reason = refusal ?? preview?.refusal;
    if (!reason) return null;
    const named = reason.params.flip ?? reason.params.square;
    const square = typeof named === "string" ? squareOf(named) : null;
    const at = square ?? laid?.flips[0] ?? laid?.square;
    return at === undefined ? null : { square: at, text: sayReason(reason) };
  });

  private mark = $derived.by((): Mark | null => {
    const turn = this.pointed ?? this.session.table?.turns.at(-1);
    const move = turn && parseMove(turn.move);
    const upheld = turn?.objections.some((objection) => objection.upheld);
    return move ? { square: move.square, flips: upheld ? [] : move.flips } : null;
  });

  private pawns = $derived.by(() => {
    const chairs = this.session.table?.chairs ?? [];
    const initials = initialsOf(chairs);
    return chairs.flatMap(({ colour }, seat) =>
      colour ? [{ seat, score: this.show.scores[seat] ?? 0, initial: initials[seat]!, colour }] : [],
    );
  });

  state = $derived.by((): BoardState => {
    const { cells, picked, laid, hand, side, hintedSquares } = this.session;
    return {
      cells,
      bare: this.session.table === null,
      stones: this.stones,
      legal: this.legal,
      held: picked !== null && !laid ? { digit: hand[picked]!, side } : null,
      tentative: laid && !this.handling.dragged ? { square: laid.square, tile: laid, flips: laid.flips } : null,
      last: this.mark,
      placed: this.show.placed,
      lights: this.lights,
      note: this.note,
      hinted: hintedSquares,
      pawns: this.pawns,
      flights: this.show.flights,
    };
  });

  /** What lies on the board if the tentative move is counted in. */
  cells = $derived.by(() => {
    const { cells, laid } = this.session;
    return laid ? after(cells, { square: laid.square, tile: laid, flips: laid.flips }) : cells;
  });

  describe = (square: Square): string => {
    const { laid } = this.session;
    const extra =
      laid?.square === square ? m.not_yet_played() : laid?.flips.includes(square) ? m.turned_with_move() : "";
    const may = this.legal?.has(square) ?? false;
    return saySquare(square, tileAt(this.cells, square), this.stones.includes(square), may, extra);
  };
}
