/** Creating a table and going there. */

import { m } from "../words";
import type { OptionsInput, SeatForm } from "../protocol/messages";
import { api, Refusal } from "./api";
import { isKeptOffline } from "./kept_offline";
import { notePlayed } from "./lists";
import { router } from "./router.svelte";
import { settings } from "./settings.svelte";

/** A name is enough to play; without one the visitor is called guest. */
export async function introduce(): Promise<void> {
  const name = settings.name.trim() || m.guest();
  const me = await api.me();
  if (me?.name !== name) await api.become(name);
  notePlayed();
}

/** Create the table; without a network on this device, if it can. */
async function create(options: OptionsInput, seats: SeatForm[]): Promise<string> {
  try {
    await introduce();
    return (await api.create(options, seats)).path;
  } catch (error) {
    const lost = error instanceof Refusal && error.error.code === "offline";
    if (!lost || !isKeptOffline() || seats.some(({ who }) => who === "open")) throw error;
    notePlayed();
    return (await api.createHere(options, seats)).path;
  }
}

export async function createTable(options: OptionsInput, seats: SeatForm[]): Promise<void> {
  const go = router.later();
  go(await create({ ...options, seats: seats.length }, seats));
}
