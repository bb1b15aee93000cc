/** Watches a review while it is computed: asks for it, then for its progress at growing intervals, until it is final. */

import { Refusal } from "../lib/api";
import type { ErrorInfo } from "../protocol/messages";

const FIRST_MS = 400;
const GROWTH = 1.35;
const LONGEST_MS = 4_000;

/** How far a review is; `report` only when it is final. */
export interface ReviewState<Report> {
  done: number;
  total: number;
  report: Report | null;
  failed: boolean;
}

export interface ReviewSource<Report> {
  /** Starts the review, or finds the one that is kept; returns its key. */
  start(): Promise<string>;
  look(key: string): Promise<ReviewState<Report>>;
  /** Stops the computation. */
  cancel(key: string): Promise<unknown>;
}

export type Phase = "idle" | "working" | "stopped" | "failed" | "ready";

export class ReviewWatch<Report> {
  phase = $state<Phase>("idle");
  done = $state(0);
  /** 0 until it is known. */
  total = $state(0);
  report = $state.raw<Report | null>(null);
  /** Why it could not be started. */
  refusal = $state.raw<ErrorInfo | null>(null);

  private key: string | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Answers to an earlier start are ignored. */
  private round = 0;

  constructor(private source: ReviewSource<Report>) {}

  async start(): Promise<void> {
    if (this.phase === "working" || this.phase === "ready") return;
    const round = (this.round += 1);
    this.phase = "working";
    this.refusal = null;
    this.done = this.total = 0;
    try {
      const key = await this.source.start();
      if (round !== this.round) {
        // It was stopped before its key was known.
        await this.source.cancel(key);
        return;
      }
      this.key = key;
      await this.look(round, FIRST_MS);
    } catch (error) {
      this.fail(round, error);
    }
  }

  private async look(round: number, wait: number): Promise<void> {
    const { done, total, report, failed } = await this.source.look(this.key!);
    if (round !== this.round) return;
    this.done = done;
    this.total = total;
    if (report !== null) {
      this.report = report;
      this.phase = "ready";
    } else if (failed) {
      this.phase = "failed";
    } else {
      const next = Math.min(wait * GROWTH, LONGEST_MS);
      this.timer = setTimeout(() => void this.look(round, next).catch((error: unknown) => this.fail(round, error)), wait);
    }
  }

  private fail(round: number, error: unknown): void {
    if (!(error instanceof Refusal)) throw error;
    if (round !== this.round) return;
    this.refusal = error.error;
    this.phase = "failed";
  }

  /** Stop the computation; it can be started again. */
  stop(): void {
    if (this.phase !== "working") return;
    this.leave();
    this.phase = "stopped";
    if (this.key !== null) void this.source.cancel(this.key).catch(() => {});
  }

  /** Another game. */
  reset(): void {
    this.leave();
    this.phase = "idle";
    this.report = this.refusal = this.key = null;
  }

  /** Ask no more; the computation goes on for when one comes back. */
  leave(): void {
    this.round += 1;
    clearTimeout(this.timer);
  }
}
