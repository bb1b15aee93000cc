/** The board as this visitor sees it: tiles, tentative move, highlights and labels. */

import type { BoardState, Light, Mark, Note } from "../board/state";
import { initialsOf } from "../lib/players";
import { sayReason } from "../lib/refusals.svelte";
import { saySquare, squaresOf, writeSum } from "../lib/words";
import { m } from "../words";
import { frontier, tileAt } from "../rules/board";
import { after } from "../rules/moves";
import { squareOf, type Square } from "../rules/squares";
import type { Guide } from "./guide.svelte";
import type { Handling } from "./handling.svelte";
import { boardAfter, lightsOf, markOf } from "./history";
import { lightsOfRefusal } from "./nearmiss";
import type { Past } from "./past.svelte";
import type { TableSession } from "./session.svelte";
import type { Show } from "./show.svelte";
import type { TapNotes } from "./taps.svelte";

export class BoardView {
  constructor(
    private session: TableSession,
    private handling: Handling,
    private show: Show,
    private past: Past,
    private taps: TapNotes,
    /** The guide of a first game, once it has loaded. */
    private guide: () => Guide | null,
  ) {}

  private stones = $derived.by(() => squaresOf(this.session.table?.stones ?? []));

  /** Where the tile in hand may go. */
  private legal = $derived.by(() => {
    const { picked, laid, cells } = this.session;
    return picked === null || (laid && !this.handling.dragged) ? null : new Set(frontier(cells));
  });

  private lights = $derived.by((): Light[] => {
    const { preview, laid, whyNothing } = this.session;
    if (whyNothing) return whyNothing.lights;
    if (preview?.refusal) return lightsOfRefusal(preview);
    if (preview && laid) {
      return preview.kakuros.map((kakuro) => ({
        squares: kakuro.squares,
        text: writeSum(kakuro),
        tone: "made",
      }));
    }
    // The sum of the last move would cover the tentative move or the hint.
    return laid || this.session.advice ? [] : this.show.lights;
  });

  private note = $derived.by((): Note | null => {
    if (this.taps.note) return this.taps.note;
    const { laid, refusal, preview } = this.session;
    const reason = refusal ?? preview?.refusal;
    if (!reason) return this.session.whyNothing?.note ?? null;
    // The guide says what to do about a flip, and the flipped tile must be visible for that.
    if (!refusal && laid?.flips.length && this.guide()?.comment?.task) return null;
    const named = reason.params.flip ?? reason.params.square;
    const square = typeof named === "string" ? squareOf(named) : null;
    const at = square ?? laid?.flips[0] ?? laid?.square;
    return at === undefined ? null : { square: at, text: sayReason(reason) };
  });

  /** The moves to be marked, the last one first: those that the opponents made since the visitor's own. */
  private recent = $derived.by((): Mark[] => {
    const { table, mySeat } = this.session;
    const turns = (table?.turns ?? []).slice(0, this.show.upTo ?? undefined).reverse();
    const opponents = mySeat === null ? 1 : table!.chairs.length - 1;
    const own = turns.slice(0, opponents).findIndex(({ seat }) => seat === mySeat);
    return turns.slice(0, own < 0 ? opponents : Math.max(1, own)).map(markOf);
  });

  private pawns = $derived.by(() => {
    const chairs = this.session.table?.chairs ?? [];
    const initials = initialsOf(chairs);
    const scores = this.past.at === null ? this.show.scores : this.past.scores;
    return chairs.flatMap(({ colour }, seat) =>
      colour ? [{ seat, score: scores[seat] ?? 0, initial: initials[seat]!, colour }] : [],
    );
  });

  state = $derived.by((): BoardState => (this.past.at === null ? this.now : this.earlier));

  /** The board after an earlier move. The tentative move and the hint belong to the present: not shown, but kept. */
  private earlier = $derived.by((): BoardState => {
    const { cells, turn } = this.past;
    return {
      cells,
      past: true,
      stones: this.stones,
      last: turn && markOf(turn),
      lights: turn ? lightsOf(turn) : [],
      note: this.taps.note,
      pawns: this.pawns,
    };
  });

  /** The board of the present, without the moves that wait to be shown. */
  private shownCells = $derived.by(() => {
    const { cells, table } = this.session;
    const { upTo } = this.show;
    return upTo === null ? cells : boardAfter(upTo, table?.turns ?? [], cells);
  });

  private now = $derived.by((): BoardState => {
    const { picked, laid, hand, side, hintedSquares } = this.session;
    return {
      cells: this.shownCells,
      bare: this.session.table === null,
      stones: this.stones,
      legal: this.legal,
      held: picked !== null && !laid ? { digit: hand[picked]!, side } : null,
      tentative: laid && !this.handling.dragged ? { square: laid.square, tile: laid, flips: laid.flips } : null,
      last: this.recent[0] ?? null,
      recent: this.recent.slice(1),
      placed: this.show.placed,
      lights: this.handling.dragged ? [] : this.lights,
      note: this.handling.dragged ? null : this.note,
      hinted: this.guide()?.comment?.squares ?? hintedSquares,
      pawns: this.pawns,
      flights: this.show.flights,
    };
  });

  /** The tiles of the board that is shown; in the present, with the tentative move. */
  cells = $derived.by(() => {
    if (this.past.at !== null) return this.past.cells;
    const { cells, laid } = this.session;
    return laid ? after(cells, { square: laid.square, tile: laid, flips: laid.flips }) : cells;
  });

  describe = (square: Square): string => {
    const stone = this.stones.includes(square);
    if (this.past.at !== null) return saySquare(square, tileAt(this.cells, square), stone, false);
    const { laid } = this.session;
    const extra = laid?.square === square ? m.not_yet_played() : laid?.flips.includes(square) ? m.turned_with_move() : "";
    const may = this.legal?.has(square) ?? false;
    return saySquare(square, tileAt(this.cells, square), stone, may, extra);
  };
}
