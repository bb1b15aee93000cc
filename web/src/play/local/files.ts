/** Games of this device that go on, as files: to be kept, or continued on another device. */

import { keep } from "../../lib/storage";
import { notePlayed } from "../../lib/lists";
import { save } from "../../lib/share";
import { device } from "./device";

export async function saveTable(table: string): Promise<void> {
  const text = await device.save(table);
  save(new Blob([text], { type: "application/json" }), `riverstones-${new Date().toISOString().slice(0, 10)}.json`);
}

/** Store the game of a file; returns the path of its table, and rejects with a `Refusal`. */
export async function restoreTable(text: string): Promise<string> {
  const table = await device.restore(text);
  keep("local", "yes");
  notePlayed();
  return `/t/${table}`;
}
