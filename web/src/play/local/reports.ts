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

  async get(table: string, version: number): Promise<ReviewProgress | null> {
    const kept = await this.database?.get("reviews", table);
    return kept?.version === version ? kept.progress : null;
  }

  /** Keep a review. If there is no room, it is computed again the next time. */
  async keep(table: string, version: number, progress: ReviewProgress): Promise<void> {
    await this.database?.put("reviews", { table, version, progress }).catch(() => {});
  }

  async remove(table: string): Promise<void> {
    await this.database?.delete("reviews", table);
  }
}

export async function openReports(): Promise<Reports> {
  try {
    const upgrade = (database: IDBPDatabase<Schema>): void => void database.createObjectStore("reviews", { keyPath: "table" });
    return new Reports(await openDB<Schema>("riverstones-reviews", 1, { upgrade }));
  } catch {
    return new Reports(null);
  }
}
