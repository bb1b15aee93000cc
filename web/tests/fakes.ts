/** Fakes for tests without a browser: window, document, sockets, storage and timers. */

import { vi } from "vitest";
import { DEFAULT_OPTIONS } from "../src/protocol/limits";
import type { ClientMessage, ServerMessage, Snapshot } from "../src/protocol/messages";

/** A socket whose server is the test. */
export class FakeSocket {
  static readonly OPEN = 1;
  static all: FakeSocket[] = [];
  /** The newest one. */
  static get last(): FakeSocket {
    return FakeSocket.all.at(-1)!;
  }

  readyState = 0;
  sent: ClientMessage[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;

  constructor(readonly url: string) {
    FakeSocket.all.push(this);
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text) as ClientMessage);
  }

  close(): void {
    this.readyState = 3;
  }

  // The server's side.

  open(): void {
    this.readyState = FakeSocket.OPEN;
    this.onopen?.();
  }

  say(message: ServerMessage): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  /** Answer `hello`. */
  welcome(resumed = false): void {
    this.say({ type: "welcome", protocol: 1, server_ms: Date.now(), table: "t", person: "ann", seq: 1, resumed });
  }

  drop(code = 1006): void {
    this.readyState = 3;
    this.onclose?.({ code });
  }

  /** The sent messages of one type. */
  of<Type extends ClientMessage["type"]>(type: Type): Extract<ClientMessage, { type: Type }>[] {
    return this.sent.filter((message): message is Extract<ClientMessage, { type: Type }> => message.type === type);
  }
}

class FakeStorage extends Map<string, string> {
  getItem = (key: string): string | null => this.get(key) ?? null;
  setItem = (key: string, value: string): void => void this.set(key, value);
  removeItem = (key: string): void => void this.delete(key);
}

/** Install the fakes; timers are fake too, and Math.random() is 0.5. */
export function fakeBrowser(): {
  window: EventTarget;
  document: EventTarget & { hidden: boolean };
  sessionStorage: Map<string, string>;
} {
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(0.5);
  FakeSocket.all = [];
  const sessionStorage = new FakeStorage();
  const window = Object.assign(new EventTarget(), {
    sessionStorage,
    localStorage: new FakeStorage(),
    setTimeout: (work: () => void, ms: number) => setTimeout(work, ms),
    setInterval: (work: () => void, ms: number) => setInterval(work, ms),
  });
  const document = Object.assign(new EventTarget(), { hidden: false });
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("window", window);
  vi.stubGlobal("document", document);
  vi.stubGlobal("location", { protocol: "https:", host: "stones.example" });
  return { window, document, sessionStorage };
}

export function realBrowser(): void {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
}

/** A position with e3+2, c5+9, e5=6, g5+8 and e7+4, and whatever else lies there. */
export const START =
  "........./........./....2..../........./..9.F.8../........./....4..../........./......... 0 ??,?? 0,0 63 standard";

/** A game of two in which Ann, on the first seat with 5 and 7, is to move. */
export function gameOfTwo(changes: Partial<Snapshot["now"]> = {}, you: Partial<Snapshot["you"]> = {}): Snapshot {
  const chair = { bot: null, program: false, owner: null, resigned: false };
  return {
    table: "t",
    seq: 2,
    created_ms: 0,
    options: { ...DEFAULT_OPTIONS, hints: true },
    host: "ann",
    chairs: [
      { ...chair, person: "ann", name: "Ann", colour: "teal" },
      { ...chair, person: "bo", name: "Bo", colour: "indigo" },
    ],
    stones: ["e5", "c5", "e3", "g5", "e7"],
    now: {
      phase: "playing",
      paused: false,
      turn: 0,
      to_move: 0,
      deadline_ms: null,
      left_ms: null,
      awaiting_reveal: false,
      objections_ms: null,
      position: START,
      ...changes,
    },
    first: 0,
    turns: [],
    confirmed: [],
    proposals: [],
    chat: [],
    commitment: "c",
    result: null,
    previous: null,
    next: null,
    device: false,
    you: { person: "ann", seats: [0], seat: 0, hand: [5, 7], ...you },
  };
}
