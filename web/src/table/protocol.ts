/** The messages of the socket, as docs/protocol.md has them; only what the app reads or sends. */

import type { Reason } from "../rules/series";

export const PROTOCOL = 1;

export interface ErrorInfo {
  code: string;
  params: Record<string, string | number>;
  text: string;
  /** What is wrong with a text that cannot be read. */
  problems?: Problem[];
}

export interface Problem {
  line: number;
  text: string;
}

export interface SeriesInfo {
  squares: string[];
  total: number;
  addends: number[];
  sum: number;
  points: number;
}

export interface Preview {
  move: string;
  legal: boolean;
  refusal: Reason | null;
  points: number;
  kakuros: SeriesInfo[];
  near_misses: { series: SeriesInfo; reason: Reason }[];
}

export interface Hint {
  turn: number;
  step: number;
  square: string;
  tile: string | null;
  move: string | null;
  points: number | null;
}

export interface Options {
  seats: number;
  variant: "standard" | "expert";
  layout: "sides" | "corners" | "star" | "edges";
  scoring: "automatic" | "claims";
  start: number | "random";
  clock: "off" | "gentle" | "strict";
  seconds: number;
  hints: boolean;
  listed: boolean;
  rated: boolean;
  programs: boolean;
}

export type Colour = "indigo" | "teal" | "plum" | "ochre";

export interface Chair {
  person: string | null;
  bot: string | null;
  name: string;
  colour: Colour | "";
  program: boolean;
  owner: string | null;
  resigned: boolean;
}

export interface Turn {
  turn: number;
  seat: number;
  move: string;
  points: number;
  claim: number | null;
  timed_out: boolean;
  kakuros: SeriesInfo[] | null;
  objections: { seat: number; upheld: boolean }[];
}

export interface Now {
  phase: "waiting" | "playing" | "settling" | "over" | "closed";
  paused: boolean;
  turn: number;
  to_move: number | null;
  deadline_ms: number | null;
  left_ms: number | null;
  /** The clock waits until the seat to move, which shares its device with others, is shown its hand. */
  awaiting_reveal: boolean;
  /** Until when a bot waits for objections to the last claim. */
  objections_ms: number | null;
  position: string | null;
}

export type Wish = "pause" | "take_back" | "rematch" | "newcomer";

export interface Asking {
  wish: Wish;
  seat: number;
  agreed: number[];
}

export interface Words {
  at_ms: number;
  person: string;
  name: string;
  text: string;
}

export interface Result {
  scores: number[];
  winners: number[];
  resigned: number[];
  seed: string;
  ended_ms: number;
}

export interface Snapshot {
  table: string;
  seq: number;
  created_ms: number;
  options: Options;
  host: string;
  chairs: Chair[];
  stones: string[];
  now: Now;
  first: number | null;
  turns: Turn[];
  confirmed: number[];
  asking: Asking[];
  chat: Words[];
  commitment: string | null;
  result: Result | null;
  previous: string | null;
  next: string | null;
  you: { person: string | null; seats: number[]; seat: number | null; hand: number[] | null };
}

export type TableEvent =
  | { type: "seated"; seat: number; chair: Chair }
  | { type: "left"; seat: number; chair: Chair }
  | { type: "started"; first: number; commitment: string }
  | { type: "revealed"; seat: number }
  | ({ type: "moved" } & Turn)
  | { type: "objected"; seat: number; upheld: boolean; refusal: Reason | null; last: Turn }
  | { type: "confirmed"; seat: number }
  | { type: "asked"; seat: number; wish: Wish }
  | { type: "agreed"; seat: number; wish: Wish }
  | { type: "declined"; seat: number; wish: Wish }
  | { type: "paused" }
  | { type: "resumed"; seat: number }
  | { type: "taken_back"; turns: number }
  | { type: "resigned"; seat: number }
  | { type: "extended"; deadline_ms: number | null; objections_ms: number | null }
  | { type: "ended"; result: Result }
  | { type: "said"; person: string; name: string; text: string }
  | { type: "rematched"; table: string }
  | { type: "closed" }
  | { type: "created" };

export interface EventMessage {
  type: "event";
  seq: number;
  at_ms: number;
  event: TableEvent;
  now: Now;
  hand?: number[] | null;
}

export type ServerMessage =
  | { type: "welcome"; server_ms: number; seq: number; person: string | null; resumed: boolean }
  | { type: "snapshot"; snapshot: Snapshot }
  | EventMessage
  | { type: "ack"; id: string; seq: number }
  | { type: "refused"; id: string | null; error: ErrorInfo }
  | { type: "preview"; id: string; preview: Preview }
  | { type: "hint"; id: string; hint: Hint }
  | { type: "presence"; seats: boolean[]; absent: number[]; spectators: number }
  | { type: "pong"; server_ms: number }
  | { type: "bye"; error: ErrorInfo };

export type Command =
  | { type: "sit"; seat?: number; name?: string }
  | { type: "stand"; seat: number }
  | { type: "seat_bot"; seat: number; level: string }
  | { type: "clear_seat"; seat: number }
  | { type: "play"; seat: number; turn: number; move: string; claim?: number }
  | { type: "reveal"; seat: number; turn: number }
  | { type: "object"; seat: number; turn: number }
  | { type: "confirm"; seat: number; turn: number }
  | { type: "ask"; seat: number; wish: Wish }
  | { type: "answer"; seat: number; wish: Wish; yes: boolean }
  | { type: "resume"; seat: number }
  | { type: "resign"; seat: number }
  | { type: "say"; text: string }
  | { type: "close" };

export type ClientMessage =
  | { type: "hello"; protocol: number; since?: number; seat?: number }
  | { type: "do"; id: string; command: Command }
  | { type: "look"; seat: number | null }
  | { type: "preview"; id: string; seat: number; move: string }
  | { type: "hint"; id: string; seat: number; step: number }
  | { type: "ping" };
