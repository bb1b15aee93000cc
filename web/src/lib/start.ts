/** Creating a table and going there. */

import { m } from "../words";
import type { OptionsInput, SeatForm } from "../protocol/messages";
import { api } from "./api";
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

export async function begin(options: OptionsInput, seats: SeatForm[]): Promise<void> {
  await introduce();
  const { path } = await api.create({ ...options, seats: seats.length }, seats);
  router.go(path);
}
