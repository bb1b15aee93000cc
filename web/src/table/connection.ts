/**
 * The line to a table. It comes back by itself, asks for what it missed, and sends again what was not acknowledged:
 * each command has an id of its own, so that the table knows one it has already carried out. A line may die without a
 * word, so one on which no answer comes in time is given up: what it still has to say is not heard.
 */

import { newId } from "../lib/ids";
import { CLOSE_CODES, PROTOCOL } from "../protocol/limits";
import type { ClientMessage, Command, ServerMessage } from "../protocol/messages";

const FIRST_WAIT_MS = 300;
const LONGEST_WAIT_MS = 8_000;
const HEARTBEAT_MS = 15_000;
/** How long an answer may take; longer each time that none came, for those whose network is merely slow. */
const PATIENCE_MS = 2_500;
const LONGEST_PATIENCE_MS = 20_000;

/** Closing codes with which the server says that trying again is of no use. */
const FINAL = new Set<number>([CLOSE_CODES.unknown_protocol, CLOSE_CODES.not_signed_in, CLOSE_CODES.no_such_table]);

export type ConnectionState = "connecting" | "open" | "lost" | "ended";

export interface LineHandlers {
  onmessage(message: ServerMessage): void;
  onstate(state: ConnectionState): void;
  /** The number of the last event that is known, and the seat to look from. */
  known(): { since?: number; seat?: number };
}

export class Line {
  private socket: WebSocket | null = null;
  private outbox = new Map<string, Command>();
  private wait = FIRST_WAIT_MS;
  private timer = 0;
  private heart = 0;
  private patience = PATIENCE_MS;
  /** Runs while an answer is awaited. */
  private alarm = 0;
  private lost = false;
  private ended = false;

  constructor(
    private url: string,
    private handlers: LineHandlers,
  ) {
    this.open();
    window.addEventListener("online", this.hurry);
    window.addEventListener("offline", this.drop);
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
    if (this.send({ type: "do", id, command })) this.awaitAnswer();
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
    window.removeEventListener("offline", this.drop);
    document.removeEventListener("visibilitychange", this.hurry);
    clearTimeout(this.timer);
    this.hangUp();
  }

  /** Hang up and call again at once. */
  again(): void {
    this.lost = false;
    clearTimeout(this.timer);
    this.hangUp();
    this.open();
  }

  private open(): void {
    const socket = new WebSocket(this.url);
    this.socket = socket;
    // Until the table answers, a line that was lost stays so: the visitor is told once, and not at every try.
    if (!this.lost) this.handlers.onstate("connecting");
    this.awaitAnswer(2);
    socket.onopen = () => {
      this.send({ type: "hello", protocol: PROTOCOL, ...this.handlers.known() });
      this.heart = window.setInterval(() => this.beat(), HEARTBEAT_MS);
    };
    socket.onmessage = ({ data }: MessageEvent<string>) => this.hear(JSON.parse(data) as ServerMessage);
    socket.onclose = ({ code }) => {
      this.hangUp();
      this.ended = FINAL.has(code);
      if (this.ended) this.handlers.onstate("ended");
      else this.lose();
    };
  }

  /** Have done with a socket, without waiting for the other end to agree. */
  private hangUp(): void {
    clearInterval(this.heart);
    this.stopAlarm();
    const { socket } = this;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
    this.socket = null;
  }

  private lose(): void {
    this.lost = true;
    this.handlers.onstate("lost");
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.open(), this.wait * (0.7 + Math.random() * 0.6));
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT_MS);
  }

  /** The line is dead, whatever it says: give it up. */
  private drop = (): void => {
    if (!this.socket || this.ended) return;
    this.hangUp();
    this.lose();
  };

  private awaitAnswer(times = 1): void {
    this.stopAlarm();
    this.alarm = window.setTimeout(() => {
      this.patience = Math.min(this.patience * 2, LONGEST_PATIENCE_MS);
      this.drop();
    }, this.patience * times);
  }

  private stopAlarm(): void {
    clearTimeout(this.alarm);
    this.alarm = 0;
  }

  private hear(message: ServerMessage): void {
    if (message.type === "ack" || message.type === "refused") {
      if (message.id !== null) this.outbox.delete(message.id);
    }
    if (message.type === "welcome") {
      this.wait = FIRST_WAIT_MS;
      this.lost = false;
      this.handlers.onstate("open");
    }
    // Whatever comes shows that the line lives; only an answer shows that commands get through in time.
    this.stopAlarm();
    if (this.outbox.size) this.awaitAnswer();
    else if (message.type === "ack" || message.type === "pong") this.patience = PATIENCE_MS;
    this.handlers.onmessage(message);
    if (message.type === "welcome") {
      for (const [id, command] of this.outbox) this.send({ type: "do", id, command });
    }
  }

  private beat(): void {
    this.send({ type: "ping" });
    // The longest patience outlasts a heartbeat, which must not start the wait over.
    if (!this.alarm) this.awaitAnswer();
  }

  /** The network or the reader is back: try now and not when the wait is over. */
  private hurry = ({ type }: Event): void => {
    const stuck = this.lost && type === "online";
    if (document.hidden || this.ended || (this.socket && !stuck)) return;
    clearTimeout(this.timer);
    this.hangUp();
    this.wait = FIRST_WAIT_MS;
    this.open();
  };
}
