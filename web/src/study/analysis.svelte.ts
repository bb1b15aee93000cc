/** The ranked plays of the position that is shown. Only the answer to the latest question counts. */

import { Refusal } from "../lib/api";
import type { ErrorInfo } from "../protocol/messages";

/** Edits follow each other quickly; only a position that stays this long is asked about. */
const SETTLED_MS = 120;
/** How many answers are kept: going back and forth asks nothing twice. */
const MOST_KEPT = 60;

export class Analysis<Ranking> {
  /** The ranking of the asked position; null while there is none. */
  ranking = $state.raw<Ranking | null>(null);
  refusal = $state.raw<ErrorInfo | null>(null);
  asking = $state(false);

  private kept = new Map<string, Ranking>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private request: AbortController | null = null;

  constructor(private ask: (position: string, signal: AbortSignal) => Promise<Ranking>) {}

  /** Rank the plays of this position; null: there is nothing to rank. */
  about(position: string | null): void {
    this.stop();
    this.refusal = null;
    this.ranking = position === null ? null : (this.kept.get(position) ?? null);
    this.asking = position !== null && this.ranking === null;
    if (position === null || this.ranking !== null) return;
    this.timer = setTimeout(() => void this.fetch(position), SETTLED_MS);
  }

  stop(): void {
    clearTimeout(this.timer);
    this.request?.abort();
    this.request = null;
  }

  private async fetch(position: string): Promise<void> {
    const request = new AbortController();
    this.request = request;
    try {
      const found = await this.ask(position, request.signal);
      if (request.signal.aborted) return;
      this.keep(position, found);
      this.ranking = found;
    } catch (error) {
      if (request.signal.aborted) return;
      if (!(error instanceof Refusal)) throw error;
      this.refusal = error.error;
    }
    this.asking = false;
  }

  private keep(position: string, found: Ranking): void {
    this.kept.set(position, found);
    const [oldest] = this.kept.keys();
    if (this.kept.size > MOST_KEPT && oldest !== undefined) this.kept.delete(oldest);
  }
}
