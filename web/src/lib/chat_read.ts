/** The time up to which the chat of each table has been read on this device; only the most recent tables are kept. */

import { keep, kept } from "./storage";

const MOST_TABLES = 40;

function all(): [table: string, ms: number][] {
  try {
    return JSON.parse(kept("chat-read") ?? "[]") as [string, number][];
  } catch {
    return [];
  }
}

export const chatReadMs = (table: string): number => all().find(([name]) => name === table)?.[1] ?? 0;

export function noteChatRead(table: string, ms: number): void {
  const others = all().filter(([name]) => name !== table);
  keep("chat-read", JSON.stringify([[table, ms], ...others].slice(0, MOST_TABLES)));
}
