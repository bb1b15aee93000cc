/**
 * The finished reviews of this device's tables. They are in a database of their own: another version of the tables'
 * database would close it under tabs that still run an older version of the app.
 */

import { openDB, type DBSchema, type IDBPDatabase } from "idb";
import type { ReviewProgress } from "../../protocol/messages";

interface Kept {
  table: string;
  /** The version of reviews. */
  version: number;
  progress: ReviewProgress;
}

interface Schema extends DBSchema {
  reviews: { key: string; value: Kept };
}

export class Reports {
  /** Without a database nothing is kept. */
  constructor(private database: IDBPDatabase<Schema> | null) {}

  /** The review; null if there is none or it cannot be read, so that it is computed again. */
  async get(table: string, version: number): Promise<ReviewProgress | null> {
    const kept = await this.database?.get("reviews", table).catch(() => null);
    return kept?.version === version ? kept.progress : null;
  }

  /** Keep a review. If there is no room, it is computed again the next time. */
  async keep(table: string, version: number, progress: ReviewProgress): Promise<void> {
    await this.database?.put("reviews", { table, version, progress }).catch(() => {});
  }

  async remove(table: string): Promise<void> {
    // What is left behind does no harm: reviews are looked up for tables that exist.
    await this.database?.delete("reviews", table).catch(() => {});
  }
}

export async function openReports(): Promise<Reports> {
  try {
    const database = await openDB<Schema>("riverstones-reviews", 1, {
      upgrade: (database) => void database.createObjectStore("reviews", { keyPath: "table" }),
      // As for the tables: another tab has a newer version of the app.
      blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
    });
    return new Reports(database);
  } catch {
    return new Reports(null);
  }
}
