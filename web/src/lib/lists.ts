/** A cache of the lists on the home page, for when the server cannot be reached. */

import type { TableSummary } from "../protocol/messages";
import { keep, kept } from "./kept";

export interface Lists {
  person: string | null;
  mine: TableSummary[];
  open: TableSummary[];
}

/** The version of the cached form; raise it when a summary changes, so that older caches are ignored. */
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
