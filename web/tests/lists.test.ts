/** The order of the games on the home page, what can be removed, and settings in a few words. */

import { beforeEach, expect, test } from "vitest";
import { keepBotTerms, keptBotTerms } from "../src/lib/bot_terms";
import { forget, keep } from "../src/lib/storage";
import { byUrgency, hasPlayed, isDismissable, isNewcomer, keepLists, notePlayed } from "../src/lib/lists";
import { changedOptions, allOptions } from "../src/lib/options_text";
import { DEFAULT_OPTIONS } from "../src/protocol/limits";
import type { Chair, TableSummary } from "../src/protocol/messages";

beforeEach(() => ["played", "lists", "bot_terms", "guided", "learnt"].forEach((key) => forget(key)));

const free: Chair = { person: null, bot: null, name: "", colour: "", program: false, owner: null, resigned: false };
const me: Chair = { ...free, person: "me", name: "Ann", colour: "teal" };
const friend: Chair = { ...free, person: "bob", name: "Bob", colour: "plum" };
const bot: Chair = { ...free, bot: "pebble", name: "pebble", colour: "indigo" };

function game(table: string, changes: Partial<TableSummary> = {}): TableSummary {
  return {
    table,
    options: { ...DEFAULT_OPTIONS },
    host: "me",
    chairs: [me, bot],
    phase: "playing",
    turn: 0,
    to_move: 0,
    scores: [0, 0],
    created_ms: 0,
    changed_ms: 0,
    ended_ms: null,
    ...changes,
  };
}

test("my turn comes first, then others' turns, waiting tables and finished games", () => {
  const games = [
    game("over", { phase: "over", to_move: null, changed_ms: 9 }),
    game("waiting", { phase: "waiting", to_move: null, changed_ms: 8 }),
    game("settling", { phase: "settling", to_move: null, changed_ms: 7 }),
    game("theirs", { to_move: 1, changed_ms: 6 }),
    game("mine", { changed_ms: 1 }),
    game("mine, later", { changed_ms: 2 }),
  ];
  const order = ["mine, later", "mine", "settling", "theirs", "waiting", "over"];
  expect(byUrgency(games, "me").map(({ table }) => table)).toEqual(order);
  expect(byUrgency([...games].reverse(), "me").map(({ table }) => table)).toEqual(order);
});

test("a seat or an account makes nobody experienced, a game or the guide does", () => {
  const lists = (turn: number) => ({ person: "me", mine: [game("t", { turn })], open: [], public: [] });
  notePlayed();
  keepLists(lists(0));
  expect(isNewcomer()).toBe(true);
  keepLists(lists(30));
  keepLists({ ...lists(0), mine: [] });
  expect(isNewcomer(), "also once the game has left the list").toBe(false);
  forget("learnt");
  keep("guided", "yes");
  expect(isNewcomer()).toBe(false);
});

test.each([
  ["a finished game with others", { phase: "over", chairs: [me, friend] }, true],
  ["a running game against bots", { chairs: [me, bot] }, true],
  ["a running game on one device", { chairs: [me, me] }, true],
  ["a running game with others", { chairs: [me, friend] }, false],
  ["a game to which somebody may return", { chairs: [me, { ...bot, owner: "bob" }] }, false],
  ["a table that waits", { phase: "waiting", chairs: [me, free] }, false],
] as const)("%s: can it be removed?", (_, changes, expected) => {
  const { chairs, ...rest } = changes;
  expect(isDismissable(game("t", { ...rest, chairs: [...chairs] }), "me")).toBe(expected);
});

test("strangers cannot remove a game", () => {
  expect(isDismissable(game("t", { phase: "over" }), null)).toBe(false);
});

test("a device with a played game or a listed game has been used before", () => {
  expect(hasPlayed()).toBe(false);
  keepLists({ person: "me", mine: [game("t")], open: [], public: [] });
  expect(hasPlayed()).toBe(true);
  keepLists({ person: "me", mine: [], open: [game("t")], public: [] });
  expect(hasPlayed()).toBe(false);
  notePlayed();
  expect(hasPlayed()).toBe(true);
});

test("a list marks unusual settings, and shows all settings of tables that can be joined", () => {
  const options = { ...DEFAULT_OPTIONS };
  expect(changedOptions(options)).toEqual([]);
  expect(allOptions(options)).toEqual(["2 seats", "Standard", "Automatic scoring", "No clock"]);
  const unusual = { ...options, variant: "expert", scoring: "claims", clock: "strict", seconds: 45, rated: true } as const;
  const marks = ["Expert", "Claimed points", "45\u00a0s per turn", "Rated"];
  expect(changedOptions(unusual)).toEqual(marks);
  expect(allOptions(unusual)).toEqual(["2 seats", ...marks]);
});

test("settings against bots are remembered, without those that concern other people", () => {
  expect(keptBotTerms()).toEqual({ hints: true });
  keepBotTerms({ variant: "expert", listed: true, programs: true, rated: true, hints: false });
  expect(keptBotTerms()).toEqual({ variant: "expert", hints: false });
  keep("bot_terms", "{");
  expect(keptBotTerms()).toEqual({ hints: true });
});
