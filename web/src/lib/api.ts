/** The server's HTTP API. */

import type { Colour } from "../protocol/limits";
import { newId } from "./ids";
import type { ErrorAnswer, ErrorInfo, OptionsInput, Routes, SeatForm } from "../protocol/messages";

/** An error answer of the server; `error` has the code and the parameters. */
export class Refusal extends Error {
  constructor(public error: ErrorInfo) {
    super(error.text);
  }
}

/** After this time a simple request counts as unanswered. */
const PATIENCE_MS = 8_000;

const OFFLINE: ErrorInfo = { code: "offline", params: {}, text: "" };

/** The parameters of a request, as far as the route takes them. */
interface Given {
  path?: Record<string, string>;
  query?: Record<string, string | number | null | undefined>;
  body?: unknown;
}

type Answer<Route extends keyof Routes> = Promise<Routes[Route]["answer"]>;

async function request(route: keyof Routes, given: Given, signal: AbortSignal | null = null): Promise<Response> {
  const { path = {}, query = {}, body } = given;
  const [method, template] = route.split(" ") as [string, string];
  const address = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name]!));
  const asked = Object.entries(query).flatMap(([name, value]) => ((value ?? null) === null ? [] : [[name, String(value)]]));
  let response: Response;
  try {
    response = await fetch(`/api/v1${address}${asked.length ? `?${new URLSearchParams(asked)}` : ""}`, {
      method,
      signal,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    });
  } catch {
    throw new Refusal(OFFLINE);
  }
  if (response.ok) return response;
  const answer = (await response.json().catch(() => null)) as ErrorAnswer | null;
  throw new Refusal(answer?.error ?? OFFLINE);
}

async function call<Route extends keyof Routes>(route: Route, given: Routes[Route]["given"]): Answer<Route> {
  return (await request(route, given)).json();
}

/** A request with a short timeout. */
async function ask<Route extends keyof Routes>(route: Route): Answer<Route> {
  return (await request(route, {}, AbortSignal.timeout(PATIENCE_MS))).json();
}

export const api = {
  me: () => ask("GET /me"),
  become: (name: string, colour?: Colour) => call("POST /me", { body: { name, ...(colour ? { colour } : {}) } }),
  openTables: async () => (await ask("GET /tables")).tables,
  games: async () => (await ask("GET /games")).games,
  levels: async () => (await ask("GET /levels")).levels,
  /** Where other devices find the server. */
  addresses: async () => (await call("GET /addresses", {})).addresses,
  create: (options: OptionsInput, seats: SeatForm[]) => call("POST /tables", { body: { options, seats } }),
  /** Close a table that waits; for its host. */
  close: (table: string) =>
    call("POST /tables/{table}/do", { path: { table }, body: { id: newId(), command: { type: "close" } } }),
  look: (table: string) => call("GET /tables/{table}", { path: { table } }),
  review: (table: string) => call("GET /tables/{table}/review", { path: { table } }),
  readRecord: (text: string) => call("POST /study/record", { body: { text } }),
  /** The record of a finished table, as text. */
  record: async (table: string) => (await request("GET /tables/{table}/record", { path: { table } })).text(),
};
