/** A page's connection to a table, whoever keeps the table: a server or this device. */

import { SERVERLESS } from "../lib/hosting";
import { Connection, type ConnectionHandlers } from "./connection";
import type { ClientMessage, Command } from "../protocol/messages";
import { LocalConnection } from "./local/connection";
import { isLocalId } from "./local/ids";

export interface TableConnection {
  /** Send a command, until it is acknowledged or refused; returns its id. */
  do(command: Command): string;
  /** Send a message once; false if nobody can receive it now. */
  send(message: ClientMessage): boolean;
  /** Begin again, with a new identity. */
  reconnect(): void;
  close(): void;
}

export function connect(table: string, handlers: ConnectionHandlers): TableConnection {
  if (SERVERLESS || isLocalId(table)) return new LocalConnection(table, handlers);
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  return new Connection(`${scheme}://${location.host}/api/v1/tables/${table}/socket`, handlers);
}
