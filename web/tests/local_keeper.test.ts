/** A table that a worker keeps goes on after an error, and the page learns of it. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Keeper } from "../src/play/local/keeper";
import type { Bridge } from "../src/play/local/runtime";
import { Memory } from "../src/play/local/store";
import type { ClientMessage, ServerMessage, TableSummary } from "../src/protocol/messages";

const TABLE = "local-t";
const row = (seq: number) => ({ seq, at_ms: 0, type: "said", data: {}, key: null });
const LISTED = { summary: {} as TableSummary, beaten: null };
const PLAY = { type: "do", id: "c1", command: { type: "close" } } satisfies ClientMessage;
const BROKEN = new Error("a fault in Python");
const NO_ROOM = new DOMException("", "QuotaExceededError");

/** A table where every command and every work of a bot stores one event. */
async function kept(bridge: Partial<Bridge> = {}) {
  const store = new Memory();
  await store.append({ table: TABLE, rows: [row(1)], ...LISTED });
  let seq = 1;
  const step = () => JSON.stringify({ rows: [row(seq + 1)], messages: [], rematch: null });
  const python = {
    open: () => {},
    close: () => {},
    seq: () => seq,
    receive: step,
    carry_out: step,
    listed_with: () => JSON.stringify(LISTED),
    advance: () => JSON.stringify([{ type: "pong", server_ms: ++seq }]),
    due: () => "null",
    ...bridge,
  } as unknown as Bridge;
  const told: ServerMessage[] = [];
  const reported: unknown[] = [];
  const tell = (message: ServerMessage) => void told.push(message);
  const keeper = await Keeper.open(
    TABLE,
    python,
    store,
    tell,
    () => {},
    (error) => void reported.push(error),
  );
  return { keeper: keeper!, store, told, reported };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a command that fails is refused, and the next one is carried out", async () => {
  for (const [error, code] of [
    [BROKEN, "unknown"],
    [NO_ROOM, "storage_full"],
  ] as const) {
    const { keeper, store, told, reported } = await kept();
    vi.spyOn(store, "append").mockRejectedValueOnce(error);
    keeper.receive(PLAY);
    keeper.receive({ ...PLAY, id: "c2" });
    await vi.advanceTimersByTimeAsync(0);
    expect(told).toMatchObject([{ type: "refused", id: "c1", error: { code } }, { type: "pong" }]);
    expect(reported).toEqual(error === NO_ROOM ? [] : [error]);
    keeper.close();
  }
});

test("a hint that fails is refused, too", async () => {
  const receive = (): string => {
    throw BROKEN;
  };
  const { keeper, told } = await kept({ receive });
  keeper.receive({ type: "hint", id: "h1", seat: 0, step: 1 });
  await vi.advanceTimersByTimeAsync(0);
  expect(told).toMatchObject([{ type: "refused", id: "h1", error: { code: "unknown" } }]);
  keeper.close();
});

test("a bot whose move cannot be stored tries again later", async () => {
  let pending = true;
  const due = () => (pending ? JSON.stringify({ kind: "verdict", at_ms: 0 }) : "null");
  const { keeper, store, told, reported } = await kept({ due });
  vi.spyOn(store, "append")
    .mockRejectedValueOnce(NO_ROOM)
    .mockImplementationOnce(async () => {
      pending = false;
      return true;
    });
  await vi.advanceTimersByTimeAsync(100);
  expect([told.length, reported]).toEqual([0, [NO_ROOM]]);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(told).toMatchObject([{ type: "pong" }]);
  expect(store.append).toHaveBeenCalledTimes(2);
  keeper.close();
});
