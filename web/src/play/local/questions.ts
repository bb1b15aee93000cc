/** The questions that the worker answers with the help of Python. */

import type { Given } from "../../lib/api";
import type { ErrorInfo } from "../../protocol/messages";
import { newLocalId } from "./ids";
import { playedAt, type Studied } from "./in_play";
import { entropy, NO_ROOM } from "./keeper";
import type { NewLocalTable, Question } from "./messages";
import type { Reports } from "./reports";
import { Reviews } from "./reviews";
import type { Bridge } from "./runtime";
import type { Addition, Row, Store } from "./store";

/** An answer, or why there is none. */
export type Answered = { answer: unknown } | { refused: ErrorInfo };

const UNREADABLE = { code: "bad_message", params: {}, text: "" };

export class Questions {
  private reviews: Reviews;

  constructor(
    private bridge: Bridge,
    private store: Store,
    private reports: Reports,
  ) {
    this.reviews = new Reviews((question) => this.python(question), reports, bridge.review_version);
  }

  async answer(question: Question): Promise<Answered> {
    return (await this.reviews.answer(question)) ?? (await this.python(question));
  }

  private async python({ route, given }: Question): Promise<Answered> {
    if (route === "GET /profile/me") return this.profile(route);
    const tables = await this.tablesOf(route, given);
    return this.ask(route, given, await Promise.all(tables.map((table) => this.store.rows(table))));
  }

  /** The tables that Python has to know for an answer. */
  private async tablesOf(route: Question["route"], { path, body }: Given): Promise<string[]> {
    if (path?.table) return [path.table];
    if (route === "POST /study/analyse" || route === "POST /study/reviews") {
      return playedAt(body as Studied, await this.store.listed());
    }
    return [];
  }

  /** The profile, from all finished games and their reviews. */
  private async profile(route: Question["route"]): Promise<Answered> {
    const finished = (await this.store.listed()).filter(({ summary }) => summary.phase === "over");
    const rows = await Promise.all(finished.map(({ table }) => this.store.rows(table)));
    const reports: Record<string, unknown> = {};
    for (const { table } of finished) {
      const progress = await this.reports.get(table, this.bridge.review_version);
      if (progress) reports[table] = progress.report;
    }
    return this.ask(route, { body: { reports } }, rows);
  }

  /** `tables` has the events of the tables that a question is about. */
  private ask(route: Question["route"], given: Given, tables: readonly Row[][]): Answered {
    return JSON.parse(this.bridge.ask(route, JSON.stringify(given), JSON.stringify(tables))) as Answered;
  }

  /** A table as the text of a file. */
  async save(table: string): Promise<string> {
    return this.bridge.save(JSON.stringify(await this.store.rows(table)), Date.now());
  }

  /** Store the table of a file, under a new id: the one it came from may have gone on here. */
  async restore(text: string): Promise<Answered> {
    const table = newLocalId();
    const found = JSON.parse(this.bridge.restore(table, text)) as
      { refused: ErrorInfo } | (Omit<Addition, "table"> & { saved_ms: number });
    if ("refused" in found) return found;
    const { saved_ms: seenMs, ...addition } = found;
    try {
      // Events that are not numbered one by one from the first.
      if (!(await this.store.append({ table, ...addition }))) return { refused: UNREADABLE };
      // Its clock gets back the time since then.
      await this.store.change(table, { seenMs });
    } catch {
      return { refused: NO_ROOM };
    }
    return { answer: table };
  }

  /** Make a table; returns why it cannot be made, or null. */
  async create({ table, ...form }: NewLocalTable): Promise<ErrorInfo | null> {
    const made = JSON.parse(this.bridge.create(table, JSON.stringify(form), Date.now(), entropy())) as
      { refused: ErrorInfo } | Omit<Addition, "table">;
    if ("refused" in made) return made.refused;
    return this.store.append({ table, ...made }).then(
      () => null,
      () => NO_ROOM,
    );
  }
}
