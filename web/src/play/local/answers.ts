/** What a server would answer, answered on this device. */

import { settings } from "../../lib/settings.svelte";
import { Refusal, type Given } from "../../lib/api";
import { keep } from "../../lib/storage";
import { LEVELS } from "../../protocol/limits";
import type { Me, NewTable, Routes } from "../../protocol/messages";
import { m } from "../../words";
import { device, thinker } from "./device";
import { tables } from "./games";
import { DEVICE, newLocalId } from "./ids";
import { playedAt, type Studied } from "./in_play";

type Answers = { [Route in keyof Routes]?: (given: Given) => Routes[Route]["answer"] | Promise<Routes[Route]["answer"]> };

/** As a guest of a server. */
const me = (): Me => ({
  person: DEVICE,
  name: settings.name.trim() || m.guest(),
  colour: "teal",
  program: false,
  owner: null,
  rating: null,
  account: false,
});

/** What needs no Python. */
const HERE: Answers = {
  "GET /me": me,
  "POST /me": me,
  "GET /levels": () => ({ levels: [...LEVELS] }),
  "GET /tables": () => ({ tables: [], games: [] }),
  "GET /addresses": () => ({ addresses: [] }),
  // Lists add what this device keeps to what a server keeps: see games.ts.
  "GET /games": () => ({ games: [] }),
  "GET /games/current": () => ({ games: [] }),
  "GET /games/levels": () => ({ levels: [] }),
  "POST /games/{table}/dismiss": async ({ path }) => {
    await (await tables()).change(path!.table!, { dismissed: true });
    return null;
  },
};

export async function answer(route: keyof Routes, given: Given): Promise<unknown> {
  const here = HERE[route];
  if (here) return here(given);
  if (route === "POST /tables") {
    keep("local", "yes");
    const { name, colour } = me();
    const table = newLocalId();
    device.create({ table, name, colour, ...(given.body as NewTable) });
    return { table, path: `/t/${table}` };
  }
  // The other worker has no tables where the browser forbids storage.
  return (device.lasting === false ? device : thinker).ask({ route, given });
}

/** Reject a position or a record of a game that goes on on this device, which a server does not know of. */
export async function refuseInPlay(route: "POST /study/analyse" | "POST /study/reviews", given: Given): Promise<void> {
  try {
    if (!playedAt(given.body as Studied, await (await tables()).listed()).length) return;
    const answered = await answer(route, given);
    // The server makes the review.
    if (route === "POST /study/reviews") {
      const { review } = answered as Routes[typeof route]["answer"];
      await answer("DELETE /study/reviews/{review}", { path: { review } });
    }
  } catch (error) {
    // Any other trouble with this device is no reason not to ask the server.
    if (error instanceof Refusal && error.error.code === "position_in_play") throw error;
  }
}
