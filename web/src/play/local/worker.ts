/** The worker of a page: runs Python, keeps the tables that the page shows and answers its questions. */

import type { ErrorInfo, ServerMessage } from "../../protocol/messages";
import { Keeper, UNKNOWN } from "./keeper";
import type { FromWorker, Request, ToWorker } from "./messages";
import { Questions, type Answered } from "./questions";
import { loadPython, type Bridge } from "./runtime";
import { openReports } from "./reports";
import { openStore, type Store } from "./store";

const post = (message: FromWorker): void => postMessage(message);

/** Tells other tabs which table has changed. */
const tabs = new BroadcastChannel("riverstones.tables");
/** To the console. `reportError` would reach the page as an error of the worker, and end all its tables. */
const report = (error: unknown): void => void Promise.reject(error as Error);
const keepers = new Map<string, Promise<Keeper | null>>();
/** Why tables could not be made; null for those that were. */
const made = new Map<string, Promise<ErrorInfo | null>>();

interface Loaded {
  python: Bridge;
  store: Store;
  questions: Questions;
}
let loaded: Promise<Loaded> | null = null;

async function load(site: string): Promise<Loaded> {
  const [python, { store, lasting }, reports] = await Promise.all([
    loadPython(site, (share) => post({ type: "loading", share })),
    openStore(),
    openReports(),
  ]);
  post({ type: "ready", lasting });
  return { python, store, questions: new Questions(python, store, reports) };
}

async function open(table: string): Promise<Keeper | null> {
  const { python, store } = await loaded!;
  let error = (await made.get(table)) ?? null;
  const tell = (message: ServerMessage): void => post({ type: "told", table, message });
  const announce = (changed: string): void => tabs.postMessage(changed);
  const keeper = await Keeper.open(table, python, store, tell, announce, report).catch((reason: unknown) => {
    report(reason);
    error = UNKNOWN;
    return null;
  });
  if (!keeper) post({ type: "missing", table, error });
  return keeper;
}

async function receive(message: ToWorker): Promise<void> {
  switch (message.type) {
    case "load":
      loaded = load(message.site);
      await loaded.catch((error: unknown) => post({ type: "failed", reason: String(error) }));
      return;
    case "create":
      made.set(
        message.form.table,
        loaded!.then(({ questions }) => questions.create(message.form)),
      );
      return;
    case "open":
      keepers.set(message.table, open(message.table));
      return;
    case "say":
      (await keepers.get(message.table))?.receive(message.message);
      return;
    case "close":
      (await keepers.get(message.table))?.close();
      keepers.delete(message.table);
      return;
    default: {
      const { id } = message;
      try {
        const found = await answer(message);
        if ("refused" in found) post({ type: "refusal", id, error: found.refused });
        else post({ type: "answer", id, answer: found.answer });
      } catch (error) {
        report(error);
        post({ type: "refusal", id, error: UNKNOWN });
      }
    }
  }
}

async function answer(request: Request): Promise<Answered> {
  const { questions, store } = await loaded!;
  switch (request.type) {
    case "ask":
      return questions.answer(request.question);
    case "save":
      return { answer: await questions.save(request.table) };
    case "restore":
      return questions.restore(request.text);
    case "stored": {
      const method = store[request.method] as (...given: unknown[]) => Promise<unknown>;
      return { answer: await method.apply(store, request.given) };
    }
  }
}

addEventListener("message", ({ data }: MessageEvent<ToWorker>) => void receive(data));
tabs.addEventListener("message", ({ data }: MessageEvent<string>) => void keepers.get(data)?.then((keeper) => keeper?.follow()));
