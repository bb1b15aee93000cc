/** Finished games of this device, as an account takes them: the deal and the moves. */

import type { DeviceGame, DeviceTurn, Resignation } from "../../protocol/messages";
import type { Row } from "./store";

type Created = { options: DeviceGame["options"]; chairs: { bot: string | null; name: string }[] };

/** The game of a table whose events these are; a move that was taken back is left out. */
export function deviceGame(rows: readonly Row[]): DeviceGame {
  const game = { created_ms: 0, seed: "", ended_ms: 0, options: {}, seats: [] as DeviceGame["seats"] };
  let turns: (DeviceTurn & { objections: number[] })[] = [];
  const resignations: Resignation[] = [];
  for (const { type, at_ms, data } of rows) {
    switch (type) {
      case "created": {
        const { options, chairs } = data as Created;
        const alone = chairs.filter(({ bot }) => !bot).length === 1;
        // Whoever played alone has the name of the account.
        const seats = chairs.map(({ bot, name }) => (bot ? { level: bot } : alone ? {} : { name }));
        Object.assign(game, { created_ms: at_ms, options, seats });
        break;
      }
      case "started":
        game.seed = (data as { seed: string }).seed;
        break;
      case "moved": {
        const { move, claim, timed_out } = data as DeviceTurn;
        turns.push({ move, claim: claim ?? null, timed_out: timed_out ?? false, at_ms, objections: [] });
        break;
      }
      case "objected":
        turns.at(-1)!.objections.push((data as { seat: number }).seat);
        break;
      case "taken_back":
        turns = turns.slice(0, (data as { turns: number }).turns);
        for (const each of resignations) each.turn = Math.min(each.turn, turns.length);
        break;
      case "resigned":
        resignations.push({ seat: (data as { seat: number }).seat, turn: turns.length, at_ms });
        break;
      case "ended":
        game.ended_ms = at_ms;
    }
  }
  return { ...game, turns, resignations };
}
