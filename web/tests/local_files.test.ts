/** Saved games of a device: what the worker stores of a file. */

import { expect, test } from "vitest";
import { Questions } from "../src/play/local/questions";
import type { Reports } from "../src/play/local/reports";
import type { Bridge } from "../src/play/local/runtime";
import { Memory } from "../src/play/local/store";

/** The answer to a file whose first event has this number, and the tables that are stored then. */
async function restored(seq: number) {
  const store = new Memory();
  const rows = [{ seq, at_ms: 1, type: "created", data: {}, key: null }];
  const bridge = { restore: () => JSON.stringify({ rows, summary: {}, beaten: null, saved_ms: 7 }) };
  const questions = new Questions(bridge as unknown as Bridge, store, {} as Reports);
  return { answered: await questions.restore("{}"), listed: await store.listed() };
}

test("a saved game is stored under a new id, as seen when it was saved", async () => {
  const { answered, listed } = await restored(1);
  expect(listed).toMatchObject([{ seenMs: 7 }]);
  expect(answered).toEqual({ answer: listed[0]!.table });
});

test("a file that the store does not take is refused", async () => {
  const { answered, listed } = await restored(2);
  expect(answered).toMatchObject({ refused: { code: "bad_message" } });
  expect(listed).toEqual([]);
});
