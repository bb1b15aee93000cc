/**
 * The pace at which moves are shown. Bots answer within milliseconds, so their moves wait here until the one before has been
 * seen. The table's state is never held back: `show.upTo` only says how many of its turns are on the screen.
 */

import { calm } from "../board/motion";
import type { Pace } from "../lib/settings.svelte";
import type { EventMessage, Snapshot } from "../protocol/messages";
import type { Show } from "./show.svelte";

/** An event, and what it left behind when it came. */
export interface Happening {
  message: EventMessage;
  before: Snapshot;
  scores: number[];
  myTurn: boolean;
}

/** How long a move is shown before the next: one that scores, and one that does not. */
const SHOWN_MS: Record<Pace, { points: number; nothing: number }> = {
  quick: { points: 650, nothing: 250 },
  normal: { points: 2_200, nothing: 1_200 },
  slow: { points: 3_200, nothing: 1_400 },
};
/** An own move that scores nothing needs no time: the visitor has just placed the tile. */
const OWN_NOTHING_MS = 650;

export function shownMs(pace: Pace, points: number, own = false): number {
  const ms = pace === "quick" && calm() ? 0 : SHOWN_MS[pace][points ? "points" : "nothing"];
  return own && !points ? Math.min(ms, OWN_NOTHING_MS) : ms;
}

export class Pacer {
  private queue: Happening[] = [];
  private timer = 0;
  /** When the move on the screen has been shown long enough. */
  private freeAt = 0;

  constructor(
    private show: Show,
    private tell: (happening: Happening) => void,
    private pace: () => Pace,
    /** Whether moves may wait now. */
    private patient: () => boolean,
  ) {
    document.addEventListener("visibilitychange", this.hurryIfHidden);
  }

  push(happening: Happening): void {
    const { event } = happening.message;
    switch (event.type) {
      case "moved": {
        const own = happening.before.you.seats.includes(event.seat);
        if (own || !this.patient() || document.hidden) this.hurry();
        else if (this.queue.length || Date.now() < this.freeAt) {
          this.wait(happening);
          return;
        }
        this.present(happening);
        return;
      }
      case "ended":
        if (this.queue.length) this.wait(happening);
        else this.tell(happening);
        return;
      case "objected":
      case "taken_back":
      case "resigned":
        this.hurry();
        this.tell(happening);
        return;
      default:
        this.tell(happening);
    }
  }

  /** Show everything that waits at once. */
  hurry(): void {
    window.clearTimeout(this.timer);
    const waiting = this.queue;
    this.queue = [];
    this.note();
    waiting.forEach((happening) => this.present(happening));
    this.freeAt = 0;
  }

  stop(): void {
    window.clearTimeout(this.timer);
    document.removeEventListener("visibilitychange", this.hurryIfHidden);
  }

  private hurryIfHidden = (): void => {
    if (document.hidden) this.hurry();
  };

  private wait(happening: Happening): void {
    this.queue = [...this.queue, happening];
    this.note();
    if (this.queue.length === 1) this.timer = window.setTimeout(() => this.next(), Math.max(0, this.freeAt - Date.now()));
  }

  private next(): void {
    const [first, ...rest] = this.queue;
    this.queue = rest;
    this.note();
    this.present(first!);
    if (rest.length) this.timer = window.setTimeout(() => this.next(), Math.max(0, this.freeAt - Date.now()));
  }

  private present(happening: Happening): void {
    const { event } = happening.message;
    if (event.type === "moved") {
      const own = happening.before.you.seats.includes(event.seat);
      this.freeAt = Date.now() + shownMs(this.pace(), event.points, own);
    }
    this.tell(happening);
  }

  /** The turns before the first one that waits are on the screen. */
  private note(): void {
    const first = this.queue.find(({ message }) => message.event.type === "moved")?.message.event;
    this.show.upTo = first?.type === "moved" ? first.turn : null;
  }
}
