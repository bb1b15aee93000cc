/**
 * The line to a table. It comes back by itself, asks for what it missed, and sends again what was not acknowledged:
 * each command has an id of its own, so that the table knows one it has already carried out.
 */

import { PROTOCOL, type ClientMessage, type Command, type ServerMessage } from "./protocol";

const FIRST_WAIT_MS = 300;
const LONGEST_WAIT_MS = 8_000;
const HEARTBEAT_MS = 15_000;
const SILENCE_MS = 35_000;

/** Closing codes with which the server says that trying again is of no use. */
const FINAL = new Set([4000, 4003, 4004]);

export type LineState = "connecting" | "open" | "lost" | "ended";

export interface LineHandlers {
  onmessage(message: ServerMessage): void;
  onstate(state: LineState): void;
  /** The number of the last event that is known, and the seat to look from. */
  known(): { since?: number; seat?: number };
}

export class Line {
  private socket: WebSocket | null = null;
  private outbox = new Map<string, Command>();
  private wait = FIRST_WAIT_MS;
  private timer = 0;
  private heart = 0;
  private heardAt = 0;
  private ended = false;

  constructor(
    private url: string,
    private handlers: LineHandlers,
  ) {
    this.open();
    window.addEventListener("online", this.hurry);
    document.addEventListener("visibilitychange", this.hurry);
  }

  /** Whether commands wait for their acknowledgement. */
  get waiting(): boolean {
    return this.outbox.size > 0;
  }

  /** Give a command; it is kept and repeated until the table has answered it. */
  do(command: Command): string {
    const id = newId();
    this.outbox.set(id, command);
    this.send({ type: "do", id, command });
    return id;
  }

  /** Send what is of use only now; it is lost if the line is down. */
  send(message: ClientMessage): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  close(): void {
    this.ended = true;
    window.removeEventListener("online", this.hurry);
    document.removeEventListener("visibilitychange", this.hurry);
    clearTimeout(this.timer);
    clearInterval(this.heart);
    this.socket?.close();
  }

  /** Hang up and call again at once. */
  again(): void {
    const old = this.socket;
    this.open();
    old?.close();
  }

  private open(): void {
    const socket = new WebSocket(this.url);
    this.socket = socket;
    this.handlers.onstate("connecting");
    socket.onopen = () => {
      this.heardAt = performance.now();
      this.send({ type: "hello", protocol: PROTOCOL, ...this.handlers.known() });
      this.heart = window.setInterval(() => this.beat(), HEARTBEAT_MS);
    };
    socket.onmessage = ({ data }: MessageEvent<string>) => this.hear(JSON.parse(data) as ServerMessage);
    socket.onclose = ({ code }) => {
      clearInterval(this.heart);
      if (this.socket !== socket || this.ended) return;
      if (FINAL.has(code)) {
        this.handlers.onstate("ended");
        return;
      }
      this.handlers.onstate("lost");
      this.timer = window.setTimeout(() => this.open(), this.wait * (0.7 + Math.random() * 0.6));
      this.wait = Math.min(this.wait * 2, LONGEST_WAIT_MS);
    };
  }

  private hear(message: ServerMessage): void {
    this.heardAt = performance.now();
    if (message.type === "ack" || message.type === "refused") {
      if (message.id !== null) this.outbox.delete(message.id);
    }
    if (message.type === "welcome") {
      this.wait = FIRST_WAIT_MS;
      this.handlers.onstate("open");
    }
    this.handlers.onmessage(message);
    if (message.type === "welcome") {
      for (const [id, command] of this.outbox) this.send({ type: "do", id, command });
    }
  }

  private beat(): void {
    if (performance.now() - this.heardAt > SILENCE_MS) this.socket?.close();
    else this.send({ type: "ping" });
  }

  /** The network or the reader is back: try now and not when the wait is over. */
  private hurry = (): void => {
    if (document.hidden || this.ended || this.socket?.readyState !== WebSocket.CLOSED) return;
    clearTimeout(this.timer);
    this.wait = FIRST_WAIT_MS;
    this.open();
  };
}

export const newId = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(9));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_");
};
