/** The server's HTTP API. */

import type { Colour } from "../protocol/limits";
import { isLocalId } from "../play/local/ids";
import { SERVERLESS } from "./hosting";
import { newId } from "./ids";
import { hasLocalTables, isKeptOffline } from "./kept_offline";
import type { DeviceGame, ErrorAnswer, ErrorInfo, OptionsInput, Preferences, Routes, SeatForm } from "../protocol/messages";

/** An error answer of the server; `error` has the code and the parameters. */
export class Refusal extends Error {
  constructor(public error: ErrorInfo) {
    super(error.text);
  }
}

/** After this time a simple request counts as unanswered. */
const TIMEOUT_MS = 8_000;

const OFFLINE: ErrorInfo = { code: "offline", params: {}, text: "" };

/** The parameters of a request, as far as the route takes them. */
export interface Given {
  path?: Record<string, string>;
  query?: Record<string, string | number | null | undefined>;
  body?: unknown;
}

type Answer<Route extends keyof Routes> = Promise<Routes[Route]["answer"]>;

/** The requests that this device answers itself if the server cannot be reached and the app is kept available offline. */
const ANSWERED_HERE = new Set<keyof Routes>(["POST /study/analyse", "POST /study/record", "POST /study/reviews"]);

/** The answer of this device, which keeps tables without a server. */
async function answerHere(route: keyof Routes, given: Given): Promise<unknown> {
  const { answer } = await import("../play/local/answers");
  return answer(route, given);
}

async function request(route: keyof Routes, given: Given, signal: AbortSignal | null): Promise<unknown> {
  const { path = {}, query = {}, body } = given;
  if (SERVERLESS || isLocalId(path.table) || isLocalId(path.review)) return answerHere(route, given);
  if ((route === "POST /study/analyse" || route === "POST /study/reviews") && hasLocalTables()) {
    await (await import("../play/local/answers")).refuseInPlay(route, given);
  }
  const [method, template] = route.split(" ") as [string, string];
  const address = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name]!));
  const asked = Object.entries(query).flatMap(([name, value]) => ((value ?? null) === null ? [] : [[name, String(value)]]));
  const response = await fetch(`/api/v1${address}${asked.length ? `?${new URLSearchParams(asked)}` : ""}`, {
    method,
    signal,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  }).catch(() => null);
  if (response?.status === 204) return null;
  if (response?.ok) return response.headers.get("content-type")?.includes("json") ? response.json() : response.text();
  const answer = (await response?.json().catch(() => null)) as ErrorAnswer | null | undefined;
  if (answer?.error) throw new Refusal(answer.error);
  // Nobody has answered, or something between here and the server.
  if (ANSWERED_HERE.has(route) && isKeptOffline() && !signal?.aborted) return answerHere(route, given);
  throw new Refusal(OFFLINE);
}

const call = <Route extends keyof Routes>(
  route: Route,
  given: Routes[Route]["given"],
  signal: AbortSignal | null = null,
): Answer<Route> => request(route, given, signal) as Answer<Route>;

/** A request with a short timeout. */
const ask = <Route extends keyof Routes>(route: Route): Answer<Route> =>
  request(route, {}, AbortSignal.timeout(TIMEOUT_MS)) as Answer<Route>;

export const api = {
  me: () => ask("GET /me"),
  become: (name: string, colour?: Colour) => call("POST /me", { body: { name, ...(colour ? { colour } : {}) } }),
  /** The settings that are kept with the account. */
  preferences: () => ask("GET /account/preferences"),
  keepPreferences: (body: Preferences) => call("PUT /account/preferences", { body }),
  /** Public tables: those that wait for players, and games that may be watched. */
  publicTables: () => ask("GET /tables"),
  /** The games of the first page. */
  currentGames: async () => (await ask("GET /games/current")).games,
  /** One's games, newest first; `beforeMs` for the next page. */
  games: async (beforeMs?: number) => (await call("GET /games", { query: { before_ms: beforeMs } })).games,
  /** The levels of bots that one has won against. */
  beatenLevels: async () => {
    const { levels } = await ask("GET /games/levels");
    return hasLocalTables() ? (await import("../play/local/games")).withBeaten(levels) : levels;
  },
  /** One's own figures. */
  profile: () => call("GET /profile/me", {}),
  account: () => call("GET /account", {}),
  /** Add a finished game of this device to the account; one that was added before is not added again. */
  addGame: (body: DeviceGame) => call("POST /games", { body }),
  endOtherSessions: () => call("DELETE /account/sessions", {}),
  endSession: (session: string) => call("DELETE /account/sessions/{session}", { path: { session } }),
  leave: () => call("DELETE /me", {}),
  deleteAccount: (name: string) => call("POST /account/delete", { body: { name } }),
  newLink: () => call("POST /account/links", {}),
  redeemLink: (code: string) => call("POST /account/links/redeem", { body: { code } }),
  passkeyOptions: () => call("POST /account/passkeys/register/options", {}),
  registerPasskey: (ticket: string, credential: Record<string, unknown>) =>
    call("POST /account/passkeys/register", { body: { ticket, credential } }),
  loginOptions: () => call("POST /account/passkeys/login/options", {}),
  login: (ticket: string, credential: Record<string, unknown>) =>
    call("POST /account/passkeys/login", { body: { ticket, credential } }),
  dismiss: (table: string) => call("POST /games/{table}/dismiss", { path: { table } }),
  levels: async () => (await ask("GET /levels")).levels,
  /** Where other devices find the server. */
  addresses: async () => (await call("GET /addresses", {})).addresses,
  create: (options: OptionsInput, seats: SeatForm[]) => call("POST /tables", { body: { options, seats } }),
  /** Create a table that this device keeps. */
  createHere: (options: OptionsInput, seats: SeatForm[]) =>
    answerHere("POST /tables", { body: { options, seats } }) as Answer<"POST /tables">,
  /** Close a table that waits; for its host. */
  close: (table: string) =>
    call("POST /tables/{table}/do", { path: { table }, body: { id: newId(), command: { type: "close" } } }),
  look: (table: string) => call("GET /tables/{table}", { path: { table } }),
  review: (table: string) => call("GET /tables/{table}/review", { path: { table } }),
  /** The review of a finished table, or of a record: its key. */
  startReview: async (table: string) => (await call("POST /tables/{table}/review", { path: { table } })).review,
  startReviewOf: async (text: string) => (await call("POST /study/reviews", { body: { text } })).review,
  reviewProgress: (review: string) => call("GET /study/reviews/{review}", { path: { review } }),
  cancelReview: (review: string) => call("DELETE /study/reviews/{review}", { path: { review } }),
  /** Every play of a position, ranked. */
  analyse: (position: string, signal?: AbortSignal) => call("POST /study/analyse", { body: { position } }, signal ?? null),
  /** The progress with puzzles and dailies, and how often it has been written. */
  studyProgress: () => ask("GET /account/study"),
  keepStudyProgress: (version: number, data: Record<string, unknown>) => call("PUT /account/study", { body: { version, data } }),
  attemptPuzzle: (puzzle: string, solved: boolean) =>
    call("POST /study/puzzles/{puzzle}/attempts", { path: { puzzle }, body: { solved } }),
  readRecord: (text: string) => call("POST /study/record", { body: { text } }),
  /** The record of a finished table, as text. */
  record: (table: string) => request("GET /tables/{table}/record", { path: { table } }, null) as Promise<string>,
};
