/** The keys of a table and presses on its squares, now and while an earlier board is shown. */

import { calm } from "../board/motion";
import { sayLine } from "../lib/words";
import { m } from "../words";
import { linesOf, type Square } from "../rules/squares";
import type { Announcer } from "./announcer.svelte";
import type { BoardView } from "./boardview.svelte";
import type { Handling } from "./handling.svelte";
import type { Past } from "./past.svelte";
import type { TableSession } from "./session.svelte";
import type { Show } from "./show.svelte";
import type { TapNotes } from "./taps.svelte";
import type { Wording } from "./wording.svelte";

const CENTRE: Square = 40;

export class TableKeys {
  /** The square that has the focus, or had it last. */
  focused = $state<Square>(CENTRE);

  constructor(
    private session: TableSession,
    private handling: Handling,
    private wording: Wording,
    private announcer: Announcer,
    private show: Show,
    private past: Past,
    private view: BoardView,
    private taps: TapNotes,
    private board: () => { focus(square?: Square): void } | undefined,
  ) {}

  /** Show the board after so many moves, or the present one. Only the visitor changes this, never an event. */
  lookAt(at: number | null): void {
    const { past, wording, announcer } = this;
    const entering = past.at === null;
    const inBar = Boolean(document.activeElement?.closest(".past-bar"));
    past.at = at;
    if (at === null) {
      announcer.replace(m.back_at_now(), wording.turn);
      // The pressed button is gone, so move the focus.
      if (inBar) this.board()?.focus(this.focused);
      return;
    }
    this.show.settle(this.session.position?.scores ?? []);
    announcer.replace(`${past.words}.`, past.turn ? `${wording.tell(past.turn)}.` : "", entering ? m.back_by_escape() : "");
    // On a phone the list is below the board.
    window.scrollTo({ top: 0, behavior: calm() ? "auto" : "smooth" });
  }

  press(square: Square): void {
    if (this.past.at !== null) this.taps.show(square, m.tap_past());
    else if (this.session.table) this.handling.press(square);
  }

  /** A key on a square; returns whether it was used. */
  onBoard(name: string, square: Square): boolean {
    if (this.past.at !== null && this.inPast(name, square)) return true;
    switch (name.toLowerCase()) {
      case "r":
      case "c":
        this.announcer.say(sayLine(this.view.cells, linesOf(square)[name.toLowerCase() === "r" ? 0 : 1]));
        return true;
      case "s":
        this.sayScores();
        return true;
      default:
        return this.session.mySeat !== null && this.handling.key(name, square);
    }
  }

  private sayScores(): void {
    const { past, session, wording } = this;
    const scores = past.at === null ? (session.position?.scores ?? []) : past.scores;
    this.announcer.say(
      past.at === null ? "" : `${past.words}:`,
      wording.names.map((player, seat) => `${player} ${scores[seat] ?? 0}`).join(", "),
      wording.turn,
    );
  }

  /** A key while an earlier board is shown: Escape returns to the present, keys that lay tiles do nothing. */
  private inPast(name: string, square: Square): boolean {
    if (name === "Escape") this.lookAt(null);
    else if (name === "Enter" || name === " ") this.press(square);
    return ["Escape", "1", "2", "f", "F", "Enter", " "].includes(name);
  }

  /** A key anywhere on the page. */
  onPage(event: KeyboardEvent): void {
    const { past, session } = this;
    const typing = (event.target as Element).closest("input, textarea, select, dialog");
    if (typing || event.ctrlKey || event.metaKey || event.altKey || !session.table) return;
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key] as -1 | 1 | undefined;
    if (step && past.at !== null && past.leads(step)) {
      this.lookAt(past.at + step);
      event.preventDefault();
      return;
    }
    if (session.passTo !== null && past.at === null) return;
    if (!["1", "2", "f", "F", "Escape", "s", "S"].includes(event.key)) return;
    if (this.onBoard(event.key, this.focused)) {
      event.preventDefault();
      if (past.at === null && (event.key === "1" || event.key === "2")) this.board()?.focus(this.focused);
    }
  }
}
