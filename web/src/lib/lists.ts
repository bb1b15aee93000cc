/** The lists of the first page as they were last told, for the time without a server. */

import type { TableSummary } from "../protocol/messages";
import { keep, kept } from "./kept";

export interface Lists {
  person: string | null;
  mine: TableSummary[];
  open: TableSummary[];
}

/** Counts up when a summary changes: what an older page has kept is not read. */
const VERSION = 2;

export function keepLists(lists: Lists): void {
  keep("lists", JSON.stringify({ version: VERSION, ...lists }));
}

export function keptLists(): Lists | null {
  try {
    const found = JSON.parse(kept("lists") ?? "null") as (Lists & { version: number }) | null;
    return found?.version === VERSION ? found : null;
  } catch {
    return null;
  }
}
