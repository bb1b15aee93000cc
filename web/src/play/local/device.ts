/** This device as a host of tables: the page's side of the worker. */

import { Refusal } from "../../lib/api";
import type { ClientMessage, ErrorInfo, ServerMessage } from "../../protocol/messages";
import type { FromWorker, NewLocalTable, Question, Request, ToWorker } from "./messages";
import type { TableList } from "./store";

/** What a shown table is told. */
export interface Listener {
  told(message: ServerMessage): void;
  /** How much of Python has been loaded, from 0 to 1. */
  loading(share: number): void;
  ready(lasting: boolean): void;
  failed(): void;
  missing(error: ErrorInfo | null): void;
}

const BROKEN = { code: "not_loaded", params: {}, text: "" };

class Device {
  private worker: Worker | null = null;
  private listeners = new Map<string, Listener>();
  private pending = new Map<number, { resolve: (answer: unknown) => void; reject: (reason: unknown) => void }>();
  private asked = 0;
  /** False if the worker has its tables in memory alone; null until Python is loaded. */
  lasting: boolean | null = null;
  private share = 0;

  /** Make a table. Whoever opens it learns if that was not possible. */
  create(form: NewLocalTable): void {
    this.post({ type: "create", form });
  }

  /** Show a table. */
  open(table: string, listener: Listener): void {
    this.listeners.set(table, listener);
    this.post({ type: "open", table });
    if (this.lasting === null) listener.loading(this.share);
    else listener.ready(this.lasting);
  }

  say(table: string, message: ClientMessage): void {
    this.post({ type: "say", table, message });
  }

  close(table: string): void {
    this.listeners.delete(table);
    this.post({ type: "close", table });
  }

  /** Ask Python; rejects with a `Refusal`. */
  ask<Answer>(question: Question): Promise<Answer> {
    return this.request({ type: "ask", question });
  }

  /** A table as the text of a file. */
  save(table: string): Promise<string> {
    return this.request({ type: "save", table });
  }

  /** Store the table of a file; returns its id, and rejects with a `Refusal`. */
  restore(text: string): Promise<string> {
    return this.request({ type: "restore", text });
  }

  /** The tables that the worker stores. */
  tables: TableList = {
    rows: (...given) => this.request({ type: "stored", method: "rows", given }),
    listed: (...given) => this.request({ type: "stored", method: "listed", given }),
    change: (...given) => this.request({ type: "stored", method: "change", given }),
    remove: (...given) => this.request({ type: "stored", method: "remove", given }),
  };

  private request<Answer>(request: Request): Promise<Answer> {
    const id = ++this.asked;
    const answer = new Promise<Answer>((resolve, reject) =>
      this.pending.set(id, { resolve: resolve as (answer: unknown) => void, reject }),
    );
    this.post({ id, ...request });
    return answer;
  }

  private post(message: ToWorker): void {
    this.worker ??= this.start();
    this.worker.postMessage(message);
  }

  private start(): Worker {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.receive(data);
    worker.onerror = () => this.fail();
    const load: ToWorker = { type: "load", site: new URL(import.meta.env.BASE_URL, document.baseURI).href };
    worker.postMessage(load);
    return worker;
  }

  private receive(message: FromWorker): void {
    switch (message.type) {
      case "loading":
        this.share = message.share;
        this.listeners.forEach((listener) => listener.loading(message.share));
        return;
      case "ready":
        this.lasting = message.lasting;
        this.listeners.forEach((listener) => listener.ready(message.lasting));
        return;
      case "failed":
        return this.fail();
      case "missing":
        this.listeners.get(message.table)?.missing(message.error);
        return;
      case "told":
        this.listeners.get(message.table)?.told(message.message);
        return;
      case "answer":
        this.settle(message.id)?.resolve(message.answer);
        return;
      case "refusal":
        this.settle(message.id)?.reject(new Refusal(message.error));
    }
  }

  private settle(id: number) {
    const found = this.pending.get(id);
    this.pending.delete(id);
    return found;
  }

  /** The worker does not run, for example because its files could not be fetched. The next request starts another. */
  private fail(): void {
    this.worker?.terminate();
    this.worker = null;
    this.listeners.forEach((listener) => listener.failed());
    this.pending.forEach(({ reject }) => reject(new Refusal(BROKEN)));
    this.pending.clear();
  }
}

/** Keeps the tables. */
export const device = new Device();
/** Answers questions that take long, such as reviews, so that no table has to wait for them. */
export const thinker = new Device();
