/** The games that this device keeps, the latest first. */

import { LEVELS } from "../../protocol/limits";
import type { TableSummary } from "../../protocol/messages";
import { device } from "./device";
import { DEVICE } from "./ids";
import { openReports } from "./reports";
import { openStore, type Listed, type TableList } from "./store";

const opened = openStore();
const reports = openReports();

/** The tables of this device. Where the browser forbids storage, the worker has them in its memory. */
export const tables = async (): Promise<TableList> => (device.lasting === false ? device.tables : (await opened).store);

/** Remove a table and its review. */
export async function removeTable(table: string): Promise<void> {
  await (await tables()).remove(table);
  await (await reports).remove(table);
}

async function games(): Promise<Listed[]> {
  const found = await (await tables()).listed();
  return found.sort((one, other) => other.summary.changed_ms - one.summary.changed_ms);
}

/** As games of this person: the lists of a server know visitors by its ids. */
const owned = (found: readonly Listed[], person: string): TableSummary[] =>
  found.map(({ summary }) => ({
    ...summary,
    chairs: summary.chairs.map((chair) => (chair.person === DEVICE ? { ...chair, person } : chair)),
  }));

/** Those that the person has not removed from the list. */
export const currentGames = async (person: string): Promise<TableSummary[]> =>
  owned(
    (await games()).filter(({ dismissed }) => !dismissed),
    person,
  );

export const finishedGames = async (person: string): Promise<TableSummary[]> =>
  owned(
    (await games()).filter(({ summary }) => summary.phase === "over"),
    person,
  );

/** These levels, and those that the person has won against on this device, weakest first. */
export async function withBeaten(levels: readonly string[]): Promise<string[]> {
  const beaten = new Set([...levels, ...(await games()).map(({ beaten }) => beaten)]);
  return LEVELS.filter((level) => beaten.has(level));
}
