/** What a page and its worker say to each other. */

import type { Given } from "../../lib/api";
import type { ClientMessage, ErrorInfo, NewTable, Routes, ServerMessage } from "../../protocol/messages";
import type { TableList } from "./store";

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

/** What a page asks a worker for. */
export type Request =
  | { type: "ask"; question: Question }
  /** The text of a file with this table. */
  | { type: "save"; table: string }
  /** The id of the table that this text of a file has become. */
  | { type: "restore"; text: string }
  /** A method of the worker's store. */
  | { type: "stored"; method: keyof TableList; given: unknown[] };

export type ToWorker =
  | { type: "load"; site: string }
  | { type: "create"; form: NewLocalTable }
  | { type: "open"; table: string }
  | { type: "say"; table: string; message: ClientMessage }
  | { type: "close"; table: string }
  | ({ id: number } & Request);

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
