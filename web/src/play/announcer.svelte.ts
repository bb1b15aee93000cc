/** Announces events: animation, sound and the live region for screen readers. */

import { settings } from "../lib/settings.svelte";
import { sound } from "../lib/sound";
import { sayPlay, writeKakuro } from "../lib/words";
import { m } from "../words";
import type { Reason } from "../rules/series";
import { shownMs, type Happening } from "./pace.svelte";
import type { TableSession } from "./session.svelte";
import type { Show } from "./show.svelte";
import type { Wording } from "./wording.svelte";

/** Texts within this time are joined into one announcement. */
const BREATH_MS = 400;

/** The least time for which a verdict is shown. */
const VERDICT_MS = 3_500;

/** How an objection ended. */
export interface Verdict {
  upheld: boolean;
  by: string;
  refusal: Reason | null;
  /** The points that the move really scores. */
  really: number;
}

export class Announcer {
  /** The text of the live region. */
  said = $state("");
  verdict = $state.raw<Verdict | null>(null);
  /** The verdict has just been shown and is not replaced yet. */
  fresh = $state(false);
  private timer = 0;
  private saidAt = 0;

  constructor(
    private session: TableSession,
    private wording: Wording,
    private show: Show,
  ) {}

  say(...texts: (string | undefined)[]): void {
    const text = texts.filter(Boolean).join(" ");
    const now = Date.now();
    this.said = now - this.saidAt < BREATH_MS ? `${this.said} ${text}` : text;
    this.saidAt = now;
  }

  /** Replace the current announcement: stepping through moves does not queue them. */
  replace(...texts: string[]): void {
    this.said = texts.filter(Boolean).join(" ");
    this.saidAt = 0;
  }

  /** The verdict has been shown long enough: show what came after it. */
  private ripen(turn: number): void {
    this.fresh = false;
    if (this.session.table?.turns.at(-1)?.turn !== turn) this.verdict = null;
  }

  private forget(): void {
    this.verdict = null;
    this.fresh = false;
    clearTimeout(this.timer);
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  tell({ message: { event }, before, scores, myTurn }: Happening): void {
    const { session, show } = this;
    const { names } = this.wording;
    switch (event.type) {
      case "moved":
        if (!this.fresh || before.you.seats.includes(event.seat)) this.forget();
        show.move(event, scores, shownMs(settings.pace, event.points));
        this.say(
          event.timed_out ? this.wording.sayTimeout(event) : `${sayPlay(names[event.seat]!, event)}.`,
          event.kakuros?.map(writeKakuro).join("; "),
        );
        break;
      case "objected": {
        show.settle(scores);
        const by = names[event.seat]!;
        const really = event.last.kakuros?.reduce((sum, kakuro) => sum + kakuro.points, 0) ?? 0;
        this.verdict = { upheld: event.upheld, by, refusal: event.refusal, really };
        this.fresh = true;
        clearTimeout(this.timer);
        this.timer = window.setTimeout(() => this.ripen(event.last.turn), VERDICT_MS);
        this.say(event.upheld ? m.objection_upheld({ name: by }) : m.objection_fails({ name: by }));
        sound("no");
        break;
      }
      case "taken_back":
        show.settle(scores);
        this.say(m.moves_taken_back());
        break;
      case "ended":
        this.say(m.game_over());
        sound("end");
        break;
      case "said":
        this.say(m.labelled({ label: event.name, text: event.text }));
        break;
      case "seated":
        this.say(m.sat_down({ name: names[event.seat]! }));
        break;
    }
    const began = event.type === "started" || before.now.to_move !== session.mySeat;
    if (myTurn && began) {
      sound("your-turn");
      this.say(m.your_turn());
    }
  }
}
