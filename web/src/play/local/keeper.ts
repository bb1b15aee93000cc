/**
 * Keeps one table: gives messages of the page to Python, stores what comes of them, and only then tells the page. It
 * plays the bots and watches the clock. Tabs that keep the same table agree by the store: who is second to store an
 * event takes over what the first has stored, and decides again.
 */

import type { ClientMessage, ErrorInfo, ServerMessage } from "../../protocol/messages";
import { newLocalId } from "./ids";
import type { Bridge } from "./runtime";
import type { Addition, Row, Store } from "./store";

/** What a message or a bot leads to, as `riverstones.local.bridge` writes it. */
interface Step {
  rows: Row[];
  messages: ServerMessage[];
  rematch: Addition | null;
}

/** Nothing came of what was due: wait before the next attempt. */
const PAUSE_MS = 250;
/** What was due has failed, for example because there was no room: wait longer. */
const FAILED_MS = 2_000;
/** How often a table with a clock notes that it is shown. */
const SEEN_MS = 5_000;
/** After this time without a page, its clock gets the time back. */
const AWAY_MS = 2 * SEEN_MS;

export const NO_ROOM: ErrorInfo = { code: "storage_full", params: {}, text: "" };
export const UNKNOWN: ErrorInfo = { code: "unknown", params: {}, text: "" };

/** What to say of an error: the store throws a `DOMException`. */
const reasonFor = (error: unknown): ErrorInfo => (error instanceof DOMException ? NO_ROOM : UNKNOWN);

export const entropy = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, "0")).join("");

export class Keeper {
  /** Settled when everything up to now is done: one thing at a time. */
  private last: Promise<void> = Promise.resolve();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private seen: ReturnType<typeof setInterval>;
  private closed = false;

  private constructor(
    private table: string,
    private python: Bridge,
    private store: Store,
    private tell: (message: ServerMessage) => void,
    /** Tells the other tabs. */
    private announce: (table: string) => void,
    private report: (error: unknown) => void,
  ) {
    this.seen = setInterval(() => this.noteSeen(), SEEN_MS);
  }

  /** Load a table; null if there is none. */
  static async open(
    table: string,
    python: Bridge,
    store: Store,
    tell: (message: ServerMessage) => void,
    announce: (table: string) => void,
    report: (error: unknown) => void,
  ): Promise<Keeper | null> {
    const rows = await store.rows(table);
    if (!rows.length) return null;
    python.open(table, JSON.stringify(rows));
    const keeper = new Keeper(table, python, store, tell, announce, report);
    const seenMs = (await store.listed()).find((each) => each.table === table)?.seenMs ?? Date.now();
    if (Date.now() - seenMs > AWAY_MS) {
      keeper.soon(() => keeper.settle(() => python.wake(table, seenMs, Date.now(), entropy())));
    }
    keeper.soon(() => keeper.schedule());
    return keeper;
  }

  receive(message: ClientMessage): void {
    const text = JSON.stringify(message);
    this.soon(async () => {
      try {
        await this.settle(() => this.python.receive(this.table, text, Date.now(), entropy()));
      } catch (error) {
        const reason = reasonFor(error);
        if ("id" in message) this.tell({ type: "refused", id: message.id, error: reason });
        // A device without room is not a fault of the program, and the page has said so.
        if (!("id" in message) || reason !== NO_ROOM) this.report(error);
      }
      this.schedule();
    });
  }

  /** Another tab has stored something. */
  follow(): void {
    this.soon(async () => {
      await this.catchUp();
      this.schedule();
    });
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    clearInterval(this.seen);
    this.soon(() => this.python.close(this.table));
  }

  /** Do this after everything else. If it fails, the table goes on. */
  private soon(action: () => unknown): void {
    this.last = this.last.then(async () => void (await action())).catch(this.report);
  }

  /** Store what `decide` leads to, tell the page, and the other tabs. True if anything has happened. */
  private async settle(decide: () => string): Promise<boolean> {
    for (;;) {
      const { rows, messages, rematch } = JSON.parse(decide()) as Step;
      if (!rows.length) {
        messages.forEach(this.tell);
        return false;
      }
      const text = JSON.stringify(rows);
      const listed = JSON.parse(this.python.listed_with(this.table, text)) as Pick<Addition, "summary" | "beaten">;
      if (await this.store.append({ table: this.table, rows, ...listed }, ...(rematch ? [rematch] : []))) {
        this.advance(text);
        messages.forEach(this.tell);
        this.announce(this.table);
        return true;
      }
      await this.catchUp();
    }
  }

  private async catchUp(): Promise<void> {
    const rows = await this.store.rows(this.table, this.python.seq(this.table));
    if (rows.length) this.advance(JSON.stringify(rows));
  }

  private advance(rows: string): void {
    (JSON.parse(this.python.advance(this.table, rows)) as ServerMessage[]).forEach(this.tell);
  }

  /** Do what the table needs next when it is due. A bot thinks before that, so that it is ready in time. */
  private schedule(pauseMs = 0): void {
    clearTimeout(this.timer);
    if (this.closed) return;
    const due = JSON.parse(this.python.due(this.table)) as { kind: string; at_ms: number } | null;
    if (!due) return;
    const attempt = async (action: () => void | Promise<void>): Promise<void> => {
      try {
        if (!this.closed) await action();
      } catch (error) {
        this.report(error);
        this.schedule(FAILED_MS);
      }
    };
    const wait = (ms: number, action: () => void | Promise<void>): void =>
      void (this.timer = setTimeout(() => this.soon(() => attempt(action)), ms));
    const carryOut = (): void =>
      wait(Math.max(due.at_ms - Date.now(), pauseMs), async () => {
        const happened = await this.settle(() => this.python.carry_out(this.table, newLocalId(), Date.now(), entropy()));
        this.schedule(happened ? 0 : PAUSE_MS);
      });
    if (due.kind !== "move" || pauseMs) carryOut();
    else
      wait(0, () => {
        // bench/local.py reads how long bots think.
        performance.mark("think");
        this.python.prepare(this.table);
        performance.measure("thought", "think");
        carryOut();
      });
  }

  private noteSeen(): void {
    this.soon(() => this.store.change(this.table, { seenMs: Date.now() }));
  }
}
