/** What this device keeps for play without a server: tables, and the files of play/local/pack.ts. */

import { kept } from "./storage";

/** Whether there are tables that this device keeps. */
export const hasLocalTables = (): boolean => kept("local") === "yes";

export const isKeptOffline = (): boolean => kept("offline") === "yes";
