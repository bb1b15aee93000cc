/** The questions that the worker answers with the help of Python. */

import type { ErrorInfo } from "../../protocol/messages";
import { entropy, NO_ROOM } from "./keeper";
import type { NewLocalTable, Question } from "./messages";
import { Reviews } from "./reviews";
import type { Bridge } from "./runtime";
import type { Addition, Row, Store } from "./store";

/** An answer, or why there is none. */
export type Answered = { answer: unknown } | { refused: ErrorInfo };

export class Questions {
  private reviews = new Reviews((question) => this.python(question));

  constructor(
    private bridge: Bridge,
    private store: Store,
  ) {}

  async answer(question: Question): Promise<Answered> {
    try {
      return (await this.reviews.answer(question)) ?? (await this.python(question));
    } catch (error) {
      reportError(error);
      return { refused: { code: "unknown", params: {}, text: "" } };
    }
  }

  private async python({ route, given }: Question): Promise<Answered> {
    const tables = await this.tables(route, given.path?.table);
    return JSON.parse(this.bridge.ask(route, JSON.stringify(given), JSON.stringify(tables))) as Answered;
  }

  /** The events of the tables that a question is about. */
  private async tables(route: Question["route"], table: string | undefined): Promise<Row[][]> {
    if (table) return [await this.store.rows(table)];
    if (route !== "GET /profile/me") return [];
    const finished = (await this.store.listed()).filter(({ summary }) => summary.phase === "over");
    return Promise.all(finished.map((each) => this.store.rows(each.table)));
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
