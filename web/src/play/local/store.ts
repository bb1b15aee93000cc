/**
 * The tables of this device, in IndexedDB: every event under its table and number, and a list entry for each table.
 * Tabs share them. If the browser forbids storage, tables last as long as the page.
 */

import { openDB, type DBSchema, type IDBPDatabase } from "idb";
import type { TableSummary } from "../../protocol/messages";

/** A stored event, as `riverstones.local.Row`. */
export interface Row {
  seq: number;
  at_ms: number;
  type: string;
  data: unknown;
  key: string | null;
}

/** A table in the list of games. */
export interface Listed {
  table: string;
  summary: TableSummary;
  /** The level of bots that the person has won against at it. */
  beaten: string | null;
  /** The person has removed it from the list of current games. */
  dismissed: boolean;
  /** When a page has last shown it, as far as its clock needs that. */
  seenMs: number;
}

/** The rows of a table to be stored, and its list entry after them. */
export interface Addition {
  table: string;
  rows: readonly Row[];
  summary: TableSummary;
  beaten: string | null;
}

/** What pages need of a store. */
export interface TableList {
  /** The rows after this number. */
  rows(table: string, after?: number): Promise<Row[]>;
  listed(): Promise<Listed[]>;
  /** Change the list entry of a table. */
  change(table: string, change: Partial<Pick<Listed, "dismissed" | "seenMs">>): Promise<void>;
  remove(table: string): Promise<void>;
}

export interface Store extends TableList {
  /** Store all additions or nothing; false if a row of that number is there already. Throws if there is no room. */
  append(...additions: Addition[]): Promise<boolean>;
}

interface Schema extends DBSchema {
  events: { key: [string, number]; value: Row & { table: string } };
  tables: { key: string; value: Listed };
}

class Database implements Store {
  constructor(private database: IDBPDatabase<Schema>) {}

  async append(...additions: Addition[]): Promise<boolean> {
    // A move that was acknowledged survives a crash of the system as well.
    const transaction = this.database.transaction(["events", "tables"], "readwrite", { durability: "strict" });
    const [events, tables] = [transaction.objectStore("events"), transaction.objectStore("tables")];
    const write = async (): Promise<void> => {
      for (const { table, rows, summary, beaten } of additions) {
        const before = await tables.get(table);
        await tables.put({ dismissed: false, seenMs: Date.now(), ...before, table, summary, beaten });
        await Promise.all(rows.map((row) => events.add({ ...row, table })));
      }
    };
    try {
      await Promise.all([write(), transaction.done]);
      return true;
    } catch (error) {
      if (error instanceof DOMException && error.name === "ConstraintError") return false;
      throw error;
    }
  }

  async rows(table: string, after = 0): Promise<Row[]> {
    const found = await this.database.getAll("events", IDBKeyRange.bound([table, after + 1], [table, Infinity]));
    return found.map(({ seq, at_ms, type, data, key }) => ({ seq, at_ms, type, data, key }));
  }

  listed(): Promise<Listed[]> {
    return this.database.getAll("tables");
  }

  async change(table: string, change: Partial<Listed>): Promise<void> {
    const transaction = this.database.transaction("tables", "readwrite");
    const before = await transaction.store.get(table);
    if (before) await transaction.store.put({ ...before, ...change });
    await transaction.done;
  }

  async remove(table: string): Promise<void> {
    const transaction = this.database.transaction(["events", "tables"], "readwrite");
    await transaction.objectStore("events").delete(IDBKeyRange.bound([table, 0], [table, Infinity]));
    await transaction.objectStore("tables").delete(table);
    await transaction.done;
  }
}

/** A store in memory. */
export class Memory implements Store {
  private tables = new Map<string, Listed>();
  private events = new Map<string, Row[]>();

  append(...additions: Addition[]): Promise<boolean> {
    const isNext = ({ table, rows }: Addition) => rows[0]?.seq === (this.events.get(table)?.length ?? 0) + 1;
    if (!additions.every(isNext)) return Promise.resolve(false);
    for (const { table, rows, summary, beaten } of additions) {
      this.events.set(table, [...(this.events.get(table) ?? []), ...rows]);
      this.tables.set(table, { dismissed: false, seenMs: Date.now(), ...this.tables.get(table), table, summary, beaten });
    }
    return Promise.resolve(true);
  }

  rows(table: string, after = 0): Promise<Row[]> {
    return Promise.resolve(this.events.get(table)?.slice(after) ?? []);
  }

  listed(): Promise<Listed[]> {
    return Promise.resolve([...this.tables.values()]);
  }

  change(table: string, change: Partial<Listed>): Promise<void> {
    const before = this.tables.get(table);
    if (before) this.tables.set(table, { ...before, ...change });
    return Promise.resolve();
  }

  remove(table: string): Promise<void> {
    this.tables.delete(table);
    this.events.delete(table);
    return Promise.resolve();
  }
}

/** The device's store, and whether it outlasts the page. */
export async function openStore(): Promise<{ store: Store; lasting: boolean }> {
  try {
    const database = await openDB<Schema>("riverstones", 1, {
      upgrade(database) {
        database.createObjectStore("events", { keyPath: ["table", "seq"] });
        database.createObjectStore("tables", { keyPath: "table" });
      },
      // Another tab has a newer version of the app, which changes the database: let it.
      blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
    });
    return { store: new Database(database), lasting: true };
  } catch {
    return { store: new Memory(), lasting: false };
  }
}
