/** Positions of games that go on on this device are not analysed, here or on a server. */

import { expect, test } from "vitest";
import { Questions } from "../src/play/local/questions";
import { playedAt } from "../src/play/local/in_play";
import type { Question } from "../src/play/local/messages";
import type { Reports } from "../src/play/local/reports";
import type { Bridge } from "../src/play/local/runtime";
import { Memory, type Listed } from "../src/play/local/store";
import type { TableSummary } from "../src/protocol/messages";
import { START } from "./fakes";

const TABLES: [string, TableSummary["phase"], number][] = [
  ["waiting", "waiting", 0],
  ["begun", "playing", 0],
  ["after a turn", "playing", 1],
  ["after two turns", "playing", 2],
  ["settling", "settling", 1],
  ["over", "over", 0],
];
const RECORD = '[Riverstones "1"]\n\n 1. Seat 0 holds 19, plays d1+1, 0 points, total 0.\n    # 1. A comment\n';
const summaryOf = (phase: TableSummary["phase"], turn: number) => ({ phase, turn }) as TableSummary;

test("a position or a record may be of a game that goes on with as many tiles, or one more or less", () => {
  const listed = TABLES.map(([table, phase, turn]) => ({ table, summary: summaryOf(phase, turn) }) as Listed);
  const all = ["begun", "after a turn", "after two turns", "settling"];
  expect(playedAt({ position: START }, listed)).toEqual(["begun", "after a turn", "settling"]);
  expect(playedAt({ position: ` ${START.replace(".", "1")} ` }, listed)).toEqual(all);
  expect(playedAt({ text: "" }, listed)).toEqual(["begun", "after a turn", "settling"]);
  expect(playedAt({ text: RECORD }, listed)).toEqual(all);
});

test("Python gets the events of the games that a position or a record may be of", async () => {
  const store = new Memory();
  for (const [table, phase, turn] of TABLES) {
    const rows = [{ seq: 1, at_ms: 0, type: table, data: {}, key: null }];
    await store.append({ table, rows, summary: summaryOf(phase, turn), beaten: null });
  }
  const given: string[][] = [];
  const bridge = {
    ask: (_route: string, _given: string, tables: string) => {
      given.push((JSON.parse(tables) as { type: string }[][]).map(([row]) => row!.type));
      return JSON.stringify({ refused: { code: "position_in_play", params: {}, text: "" } });
    },
  };
  const questions = new Questions(bridge as unknown as Bridge, store, {} as Reports);
  const ask = (route: Question["route"], body: object) => questions.answer({ route, given: { body } });
  expect(await ask("POST /study/analyse", { position: START })).toMatchObject({ refused: { code: "position_in_play" } });
  await ask("POST /study/reviews", { text: RECORD });
  await ask("POST /study/record", { text: RECORD });
  expect(given).toEqual([["begun", "after a turn", "settling"], ["begun", "after a turn", "after two turns", "settling"], []]);
});
