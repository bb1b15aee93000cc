/** Games of this device that go on, as files: to be kept, or continued on another device. */

import { Refusal } from "../../lib/api";
import { keep } from "../../lib/storage";
import { notePlayed } from "../../lib/lists";
import { reasonOf } from "../../lib/refusals.svelte";
import { save } from "../../lib/share";
import { device } from "./device";

/** Save a game; returns why that was not possible, or an empty text. */
export async function saveTable(table: string): Promise<string> {
  try {
    const text = await device.save(table);
    save(new Blob([text], { type: "application/json" }), `riverstones-${new Date().toISOString().slice(0, 10)}.json`);
    return "";
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return reasonOf(error.error);
  }
}

/** Store the game of a file; returns the path of its table, and rejects with a `Refusal`. */
export async function restoreTable(text: string): Promise<string> {
  const table = await device.restore(text);
  keep("local", "yes");
  notePlayed();
  return `/t/${table}`;
}
