/** The connection to a table that this device keeps. It is never lost; commands wait until Python is loaded. */

import { newId } from "../../lib/ids";
import { PROTOCOL } from "../../protocol/limits";
import type { ClientMessage, Command } from "../../protocol/messages";
import type { ConnectionHandlers } from "../connection";
import type { TableConnection } from "../connect";

export class LocalConnection implements TableConnection {
  /** Loaded with the first local table, so that other pages do not grow. */
  private device = import("./device").then(({ device }) => device);

  constructor(
    private table: string,
    private handlers: ConnectionHandlers,
  ) {
    this.open();
  }

  do(command: Command): string {
    const id = newId();
    this.send({ type: "do", id, command });
    return id;
  }

  send(message: ClientMessage): boolean {
    void this.device.then((device) => device.say(this.table, message));
    return true;
  }

  reconnect(): void {
    this.close();
    this.open();
  }

  close(): void {
    void this.device.then((device) => device.close(this.table));
  }

  private open(): void {
    const { handlers, table } = this;
    handlers.onstate("connecting");
    void this.device
      .then((device) =>
        device.open(table, {
          told: (message) => {
            if (message.type === "welcome") handlers.onstate("open");
            handlers.onmessage(message);
          },
          loading: (share) => handlers.onloading?.(share, true),
          ready: (lasting) => handlers.onloading?.(1, lasting),
          failed: () => handlers.onfailed?.(),
          missing: (error) => {
            if (error) handlers.onmessage({ type: "bye", error });
            handlers.onstate("ended");
          },
        }),
      )
      .then(() => this.send({ type: "hello", protocol: PROTOCOL, ...handlers.known() }))
      .catch(() => handlers.onfailed?.());
  }
}
