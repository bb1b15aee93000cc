/** The server's HTTP side. */

import type { Chair, Colour, ErrorInfo, Options, SeriesInfo, Snapshot, Turn } from "../table/protocol";

/** The server said no; `error` has the code for the reader's language. */
export class Refusal extends Error {
  constructor(public error: ErrorInfo) {
    super(error.text);
  }
}

/** A server that has not answered a simple question by then counts as out of reach. */
const PATIENCE_MS = 8_000;

const ask = <Answer>(path: string): Promise<Answer> => call("GET", path, undefined, AbortSignal.timeout(PATIENCE_MS));

async function call<Answer>(method: string, path: string, body?: unknown, signal: AbortSignal | null = null): Promise<Answer> {
  let response: Response;
  try {
    response = await fetch(`/api/v1${path}`, {
      method,
      signal,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    });
  } catch {
    throw new Refusal({ code: "offline", params: {}, text: "" });
  }
  const answer = (await response.json().catch(() => null)) as Answer & { error?: ErrorInfo };
  if (!response.ok) throw new Refusal(answer?.error ?? { code: "offline", params: {}, text: "" });
  return answer;
}

export interface Me {
  person: string;
  name: string;
  colour: Colour;
}

export interface TableSummary {
  table: string;
  options: Options;
  chairs: Chair[];
  phase: string;
  turn: number;
  to_move: number | null;
  scores: number[] | null;
  created_ms: number;
  ended_ms: number | null;
}

export type SeatWish = { who: "me"; name?: string } | { who: "bot"; level: string } | { who: "open" };

export interface ReviewTurn {
  turn: number;
  seat: number;
  hand: number[];
  move: string;
  points: number;
  scores: number[];
  best: { move: string; points: number; kakuros: SeriesInfo[] } | null;
}

export interface Review {
  seats: { name: string; best: number | null; missed: number | null }[];
  turns: ReviewTurn[];
}

export interface ReplayTurn extends Turn {
  hand: number[];
  kakuros: SeriesInfo[];
  /** The position after the turn. */
  position: string;
}

export interface ReplayData {
  players: { name: string; bot: string | null }[];
  date: string | null;
  variant: "standard" | "expert";
  scoring: "automatic" | "claims";
  first: number;
  stones: string[];
  /** The position before the first turn. */
  start: string;
  turns: ReplayTurn[];
  scores: number[];
  winners: number[];
}

export const api = {
  me: () => ask<Me | null>("/me"),
  become: (name: string, colour?: Colour) => call<Me>("POST", "/me", { name, ...(colour ? { colour } : {}) }),
  openTables: async () => (await ask<{ tables: TableSummary[] }>("/tables")).tables,
  games: async () => (await ask<{ games: TableSummary[] }>("/games")).games,
  levels: async () => (await ask<{ levels: string[] }>("/levels")).levels,
  /** Where other devices find the server. */
  addresses: async () => (await call<{ addresses: string[] }>("GET", "/addresses")).addresses,
  create: (options: Partial<Options>, seats: SeatWish[]) =>
    call<{ table: string; path: string }>("POST", "/tables", { options, seats }),
  look: (table: string) => call<Snapshot>("GET", `/tables/${table}`),
  review: (table: string) => call<Review>("GET", `/tables/${table}/review`),
  readRecord: (text: string) => call<ReplayData>("POST", "/study/record", { text }),
  /** The record of a finished table, as text. */
  record: async (table: string) => {
    const response = await fetch(`/api/v1/tables/${table}/record`);
    if (!response.ok) throw new Refusal(((await response.json()) as { error: ErrorInfo }).error);
    return response.text();
  },
};
