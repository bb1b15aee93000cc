/** What a page and its worker say to each other. */

import type { Given } from "../../lib/api";
import type { ClientMessage, ErrorInfo, NewTable, Routes, ServerMessage } from "../../protocol/messages";

/** A request that a server would answer, with its route. */
export interface Question {
  route: keyof Routes;
  given: Given;
}

/** A table to be made, with its id and its maker's name and colour. */
export interface NewLocalTable extends NewTable {
  table: string;
  name: string;
  colour: string;
}

export type ToWorker =
  | { type: "load"; site: string }
  | { type: "create"; form: NewLocalTable }
  | { type: "open"; table: string }
  | { type: "say"; table: string; message: ClientMessage }
  | { type: "close"; table: string }
  | { type: "ask"; id: number; question: Question };

export type FromWorker =
  | { type: "loading"; share: number }
  /** Python runs; without a lasting store, tables are lost with the page. */
  | { type: "ready"; lasting: boolean }
  /** Python could not be loaded. */
  | { type: "failed"; reason: string }
  /** There is no such table, or it could not be made. */
  | { type: "missing"; table: string; error: ErrorInfo | null }
  | { type: "told"; table: string; message: ServerMessage }
  | { type: "answer"; id: number; answer: unknown }
  | { type: "refusal"; id: number; error: ErrorInfo };
