/**
 * The WebSocket connection to a table. Reconnects, resumes after the last known event, and resends commands that were
 * not acknowledged: each has an id, so the server executes it once. A socket can die silently, so one that does not
 * answer in time is abandoned, and whatever still arrives on it is ignored.
 */

import { newId } from "../lib/ids";
import { CLOSE_CODES, PROTOCOL } from "../protocol/limits";
import type { ClientMessage, Command, ServerMessage } from "../protocol/messages";

const FIRST_WAIT_MS = 300;
const LONGEST_WAIT_MS = 8_000;
const HEARTBEAT_MS = 15_000;
/** How long to wait for an answer. Doubles after each timeout, for slow networks. */
const TIMEOUT_MS = 2_500;
const LONGEST_TIMEOUT_MS = 20_000;

/** Close codes after which reconnecting is pointless. */
const FINAL = new Set<number>([CLOSE_CODES.unknown_protocol, CLOSE_CODES.not_signed_in, CLOSE_CODES.no_such_table]);

export type ConnectionState = "connecting" | "open" | "lost" | "ended";

export interface ConnectionHandlers {
  onmessage(message: ServerMessage): void;
  onstate(state: ConnectionState): void;
  /** How much of the game has been loaded onto this device, from 0 to 1; `lasting` is false if it is lost with the page. */
  onloading?(share: number, lasting: boolean): void;
  /** The game could not be loaded onto this device. */
  onfailed?(): void;
  /** The number of the last known event, and the seat to view from. */
  known(): { since?: number; seat?: number };
}

export class Connection {
  private socket: WebSocket | null = null;
  private outbox = new Map<string, Command>();
  private waitMs = FIRST_WAIT_MS;
  private retryTimer = 0;
  private heartbeat = 0;
  private timeoutMs = TIMEOUT_MS;
  /** The timer that runs while an answer is pending. */
  private timeout = 0;
  private lost = false;
  private ended = false;

  constructor(
    private url: string,
    private handlers: ConnectionHandlers,
  ) {
    this.open();
    window.addEventListener("online", this.reconnectNow);
    window.addEventListener("offline", this.abandon);
    document.addEventListener("visibilitychange", this.reconnectNow);
  }

  /** Whether commands are unacknowledged. */
  get waiting(): boolean {
    return this.outbox.size > 0;
  }

  /** Send a command. It is resent after a reconnection until it is acknowledged or refused. */
  do(command: Command): string {
    const id = newId();
    this.outbox.set(id, command);
    if (this.send({ type: "do", id, command })) this.awaitAnswer();
    return id;
  }

  /** Send a message once; false if the socket is not open. */
  send(message: ClientMessage): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  close(): void {
    this.ended = true;
    window.removeEventListener("online", this.reconnectNow);
    window.removeEventListener("offline", this.abandon);
    document.removeEventListener("visibilitychange", this.reconnectNow);
    clearTimeout(this.retryTimer);
    this.closeSocket();
  }

  /** Close the socket and reconnect immediately. */
  reconnect(): void {
    this.lost = false;
    clearTimeout(this.retryTimer);
    this.closeSocket();
    this.open();
  }

  private open(): void {
    const socket = new WebSocket(this.url);
    this.socket = socket;
    // The state stays "lost" until the server answers, so that it does not flicker with every attempt.
    if (!this.lost) this.handlers.onstate("connecting");
    this.awaitAnswer(2);
    socket.onopen = () => {
      this.send({ type: "hello", protocol: PROTOCOL, ...this.handlers.known() });
      this.heartbeat = window.setInterval(() => this.ping(), HEARTBEAT_MS);
    };
    socket.onmessage = ({ data }: MessageEvent<string>) => this.receive(JSON.parse(data) as ServerMessage);
    socket.onclose = ({ code }) => {
      this.closeSocket();
      this.ended = FINAL.has(code);
      if (this.ended) this.handlers.onstate("ended");
      else this.scheduleReconnect();
    };
  }

  /** Close the socket without waiting for the closing handshake. */
  private closeSocket(): void {
    clearInterval(this.heartbeat);
    this.stopTimeout();
    const { socket } = this;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
    this.socket = null;
  }

  private scheduleReconnect(): void {
    this.lost = true;
    this.handlers.onstate("lost");
    clearTimeout(this.retryTimer);
    this.retryTimer = window.setTimeout(() => this.open(), this.waitMs * (0.7 + Math.random() * 0.6));
    this.waitMs = Math.min(this.waitMs * 2, LONGEST_WAIT_MS);
  }

  /** Treat the socket as dead, and reconnect. */
  private abandon = (): void => {
    if (!this.socket || this.ended) return;
    this.closeSocket();
    this.scheduleReconnect();
  };

  private awaitAnswer(times = 1): void {
    this.stopTimeout();
    this.timeout = window.setTimeout(() => {
      this.timeoutMs = Math.min(this.timeoutMs * 2, LONGEST_TIMEOUT_MS);
      this.abandon();
    }, this.timeoutMs * times);
  }

  private stopTimeout(): void {
    clearTimeout(this.timeout);
    this.timeout = 0;
  }

  private receive(message: ServerMessage): void {
    if (message.type === "ack" || message.type === "refused") {
      if (message.id !== null) this.outbox.delete(message.id);
    }
    if (message.type === "welcome") {
      this.waitMs = FIRST_WAIT_MS;
      this.lost = false;
      this.handlers.onstate("open");
    }
    // Any message shows that the socket is alive; only an answer shows that commands arrive in time.
    this.stopTimeout();
    if (this.outbox.size) this.awaitAnswer();
    else if (message.type === "ack" || message.type === "pong") this.timeoutMs = TIMEOUT_MS;
    this.handlers.onmessage(message);
    if (message.type === "welcome") {
      for (const [id, command] of this.outbox) this.send({ type: "do", id, command });
    }
  }

  private ping(): void {
    this.send({ type: "ping" });
    // The longest timeout exceeds the heartbeat interval, so a heartbeat must not restart it.
    if (!this.timeout) this.awaitAnswer();
  }

  /** The network is back or the tab is visible: reconnect now instead of after the wait. */
  private reconnectNow = ({ type }: Event): void => {
    const stuck = this.lost && type === "online";
    if (document.hidden || this.ended || (this.socket && !stuck)) return;
    clearTimeout(this.retryTimer);
    this.closeSocket();
    this.waitMs = FIRST_WAIT_MS;
    this.open();
  };
}
