/** With a server too, no position and no record of a game that goes on on this device is analysed. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { api, Refusal } from "../src/lib/api";
import { forget, keep } from "../src/lib/storage";
import { Memory } from "../src/play/local/store";
import type { TableSummary } from "../src/protocol/messages";
import { START } from "./fakes";

// The worker needs a browser and Python. One without storage has its tables in memory, as here.
const device = vi.hoisted(() => ({ lasting: false, tables: {}, ask: (_question: { route: string }): Promise<unknown> => null! }));
vi.mock("../src/play/local/device", () => ({ device, thinker: device }));
vi.mock("../src/lib/settings.svelte", () => ({ settings: { name: "" } }));

const RECORD = `[Riverstones "1"]\r\n\r\n 1. Seat 0 holds 19, plays d1+1, 0 points, total 0.\r\n# 2 is a comment`;
const ANSWERS: Record<string, unknown> = { "POST /study/reviews": { review: "local-r" } };
/** The routes that the device and the server were asked. */
let here: string[];
let there: string[];

/** The device has a game with so many moves. */
async function playing(turn: number, phase: TableSummary["phase"] = "playing"): Promise<void> {
  const store = new Memory();
  const rows = [{ seq: 1, at_ms: 0, type: "created", data: {}, key: null }];
  await store.append({ table: "local-t", rows, summary: { phase, turn } as TableSummary, beaten: null });
  device.tables = store;
}

/** The device answers with an error of this code, or with an answer. */
function answering(code: string | null): void {
  device.ask = async ({ route }) => {
    here.push(route);
    if (code) throw new Refusal({ code, params: {}, text: "" });
    return ANSWERS[route] ?? null;
  };
}

beforeEach(() => {
  [here, there] = [[], []];
  keep("local", "yes");
  vi.stubGlobal("fetch", async (url: string) => {
    there.push(url);
    return Response.json({ review: "abc" });
  });
});
afterEach(() => vi.unstubAllGlobals());

test("the server is not asked about a game that goes on here", async () => {
  await playing(1);
  answering("position_in_play");
  await expect(api.analyse(START)).rejects.toMatchObject({ error: { code: "position_in_play" } });
  await expect(api.startReviewOf(RECORD)).rejects.toMatchObject({ error: { code: "position_in_play" } });
  expect(here).toEqual(["POST /study/analyse", "POST /study/reviews"]);
  expect(there).toEqual([]);
});

test("the server reviews a record of another game, and the device stops", async () => {
  await playing(1);
  answering(null);
  expect(await api.startReviewOf(RECORD)).toBe("abc");
  expect(here).toEqual(["POST /study/reviews", "DELETE /study/reviews/{review}"]);
  expect(there).toEqual(["/api/v1/study/reviews"]);
});

test("Python is not loaded if no game that goes on has about as many tiles", async () => {
  answering("position_in_play");
  await playing(3);
  await api.analyse(START);
  await api.startReviewOf(RECORD);
  await playing(1, "over");
  await api.startReviewOf(RECORD);
  forget("local");
  await playing(1);
  await api.startReviewOf(RECORD);
  expect(here).toEqual([]);
  expect(there).toHaveLength(4);
});

test("trouble with the device does not keep the server from answering", async () => {
  await playing(0);
  answering("not_loaded");
  await api.analyse(START);
  device.tables = { listed: () => Promise.reject(new Error("the database is closed")) };
  await api.analyse(START);
  expect(here).toEqual(["POST /study/analyse"]);
  expect(there).toHaveLength(2);
});
