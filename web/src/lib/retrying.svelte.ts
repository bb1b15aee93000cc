/** Loads the data of a page, and retries with exponential backoff until the server answers. */

import { Refusal } from "./api";
import type { ErrorInfo } from "../protocol/messages";

const FIRST_WAIT_MS = 1_500;
const LONGEST_WAIT_MS = 30_000;

export class Retrying {
  /** Why loading failed; null once it succeeds. */
  trouble = $state.raw<ErrorInfo | null>(null);
  /** The server has answered at least once. */
  answered = $state(false);
  private trying = false;
  private wait = FIRST_WAIT_MS;
  private timer = 0;
  private stopped = false;

  constructor(private load: () => Promise<void>) {
    window.addEventListener("online", this.retryNow);
    document.addEventListener("visibilitychange", this.retryNow);
    // In a task of its own: the page is being rendered in this one.
    setTimeout(() => void this.now());
  }

  /** Retry now, and reset the backoff. */
  again(): void {
    this.wait = FIRST_WAIT_MS;
    void this.now();
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
    window.removeEventListener("online", this.retryNow);
    document.removeEventListener("visibilitychange", this.retryNow);
  }

  private retryNow = (): void => {
    if (this.trouble && !document.hidden) this.again();
  };

  private async now(): Promise<void> {
    if (this.trying || this.stopped) return;
    this.trying = true;
    clearTimeout(this.timer);
    try {
      await this.load();
      this.trouble = null;
      this.answered = true;
      this.wait = FIRST_WAIT_MS;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.trouble = error.error;
      this.later();
    } finally {
      this.trying = false;
    }
  }

  private later(): void {
    if (this.stopped) return;
    this.timer = window.setTimeout(() => void this.now(), this.wait * (0.7 + Math.random() * 0.6));
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT_MS);
  }
}
