// @vitest-environment ./tests/client-environment.ts
/** What the review page makes of a report, and how it waits for one. */

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Refusal } from "../../src/lib/api";
import type { ReviewTurn } from "../../src/protocol/messages";
import { placeOf } from "../../src/study/ranking";
import {
  balanceOf,
  chanceLines,
  classCounts,
  classOf,
  mostMissed,
  roundedBalance,
  whatMattered,
  workingsOf,
  type Report,
  type ReportMove,
} from "../../src/study/report";
import { ReviewWatch, type ReviewState } from "../../src/study/review_watch.svelte";

const move = (number: number, seat: number, loss: number, more: Partial<ReportMove> = {}): ReportMove => ({
  number,
  seat,
  position: "",
  move: "e4+7",
  points: 4,
  best: { move: "e6+7", points: 11 },
  loss,
  counted: true,
  class: loss < 0.5 ? "best" : loss < 4 ? "good" : loss < 10 ? "dubious" : loss < 20 ? "mistake" : "blunder",
  chances: [0.5 + number / 100, 0.5 - number / 100],
  facts: [],
  ...more,
});

const REPORT: Report = {
  start: [0.5, 0.5],
  result: [1, 0],
  seats: [
    { name: "Ann", accuracy: 70, counted: 4, mattered: [7, 3], luck: [0.2, -0.2], slips: [-0.15, 0.15], rest: [0.05, -0.05] },
    { name: "Bo", accuracy: null, counted: 5, mattered: [2, 10, 6], luck: [-0.1, 0.1], slips: [0.4, -0.4], rest: [0.1, -0.1] },
  ],
  moves: [
    move(1, 0, 0),
    move(2, 1, 21),
    move(3, 0, 8),
    move(4, 1, 0.3),
    move(5, 0, 30, { counted: false }),
    move(6, 1, 2),
    move(7, 0, 12),
    move(8, 1, 2),
    move(9, 0, 0.04),
    move(10, 1, 5),
  ],
};

describe("accuracy", () => {
  test("is 100 times the mean of exp(-loss / 8) over the counted moves; within 0.05 of the best is 100", () => {
    const { losses, mean } = workingsOf(REPORT, 0);
    expect(losses).toEqual([0, 8, 12, 0.04]);
    expect(mean).toBeCloseTo((100 * (1 + Math.exp(-1) + Math.exp(-1.5) + 1)) / 4, 12);
  });

  test("without counted moves has no inputs", () => {
    expect(workingsOf({ moves: [] }, 0)).toEqual({ losses: [], sum: 0, mean: 0 });
  });
});

test("the turns that mattered are those that the report names", () => {
  expect(whatMattered(REPORT, 0).map(({ number }) => number)).toEqual([7, 3]);
  expect(whatMattered(REPORT, 1).map(({ number }) => number)).toEqual([2, 10, 6]);
  expect(classCounts(REPORT, 1)).toEqual({ best: 1, good: 2, dubious: 1, mistake: 0, blunder: 1 });
  expect(classOf({ class: "brilliant" })).toBeNull();
});

test("most missed are the turns with the largest gap to the possible points, of the visitor's seats if there are any", () => {
  const turn = (turn: number, seat: number, points: number, best: number) =>
    ({ turn, seat, points, best: { move: "e6+7", points: best, kakuros: [] } }) as unknown as ReviewTurn;
  const turns = [turn(0, 0, 0, 4), turn(1, 1, 0, 30), turn(2, 0, 9, 9), turn(3, 1, 5, 6), turn(4, 0, 2, 17)];
  expect(mostMissed({ turns }, [0]).map(({ turn }) => turn)).toEqual([4, 0]);
  expect(mostMissed({ turns }, []).map(({ turn }) => turn)).toEqual([1, 4, 0]);
});

test("the parts of the balance add up to the result", () => {
  for (const seat of [0, 1]) {
    const { start, luck, ownSlips, otherSlips, rest, result } = balanceOf(REPORT, seat);
    expect(start + luck + ownSlips + otherSlips + rest).toBeCloseTo(result, 12);
  }
  expect(balanceOf(REPORT, 0)).toMatchObject({ ownSlips: -0.15, otherSlips: 0.4 });
});

test("most missed are the turns with the largest gap to the possible points, of the visitor's seats if there are any", () => {
  const turn = (turn: number, seat: number, points: number, best: number) =>
    ({ turn, seat, points, best: { move: "e6+7", points: best, kakuros: [] } }) as unknown as ReviewTurn;
  const turns = [turn(0, 0, 0, 4), turn(1, 1, 0, 30), turn(2, 0, 9, 9), turn(3, 1, 5, 6), turn(4, 0, 2, 17)];
  expect(mostMissed({ turns }, [0]).map(({ turn }) => turn)).toEqual([4, 0]);
  expect(mostMissed({ turns }, []).map(({ turn }) => turn)).toEqual([1, 4, 0]);
});

test("the parts of the balance add up in whole percentage points too", () => {
  const balance = { start: 0.524, luck: 0.184, ownSlips: -0.316, otherSlips: 0.525, rest: 0.083, result: 1 };
  expect(roundedBalance(balance)).toEqual({ start: 52, luck: 18, ownSlips: -32, otherSlips: 53, rest: 9, result: 100 });
  const even = { start: 0.5, luck: -0.001, ownSlips: 0, otherSlips: 0, rest: 0.001, result: 0.5 };
  expect(roundedBalance(even).rest).toBeCloseTo(0, 12);
});

test("the curve of the chances has a point before the first move and one after each", () => {
  const [mine, theirs] = chanceLines(REPORT);
  expect(mine).toHaveLength(11);
  expect([mine![0], mine![3], theirs![10]]).toEqual([0.5, 0.53, 0.4]);
});

test("plays of equal worth share a rank", () => {
  const play = (name: string, worth: number) => ({ move: name, points: 0, worth, win: null });
  const plays = [play("a1+1", 5), play("a2+1", 4.98), play("a3+1", 2)];
  expect(placeOf({ plays }, "a2+1")).toMatchObject({ rank: 1, count: 3 });
  expect(placeOf({ plays }, "a3+1")).toEqual({ rank: 3, count: 3, loss: 3 });
  expect(placeOf({ plays }, "i9+9")).toBeNull();
});

describe("waiting for a review", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const working = (done: number): ReviewState<string> => ({ done, total: 67, report: null, failed: false });

  /** A review that needs so many looks. */
  function source(looks: number) {
    let looked = 0;
    return {
      times: [] as number[],
      cancelled: [] as string[],
      start: () => Promise.resolve("key"),
      look() {
        this.times.push(Date.now());
        looked += 1;
        return Promise.resolve(looked < looks ? working(looked) : { done: 67, total: 67, report: "final", failed: false });
      },
      cancel(key: string) {
        this.cancelled.push(key);
        return Promise.resolve();
      },
    };
  }

  test("progress is asked for at growing intervals, and the report is shown when it is final", async () => {
    const from = source(14);
    const watch = new ReviewWatch<string>(from);
    await watch.start();
    expect([watch.phase, watch.done, watch.total, watch.report]).toEqual(["working", 1, 67, null]);
    await vi.runAllTimersAsync();
    expect([watch.phase, watch.report]).toEqual(["ready", "final"]);
    const waits = from.times.slice(1).map((time, n) => time - from.times[n]!);
    expect(waits.every((wait, n) => n === 0 || wait >= waits[n - 1]!)).toBe(true);
    expect(waits.at(-1)).toBe(4_000);
  });

  test("a kept review is there at once", async () => {
    const watch = new ReviewWatch<string>(source(1));
    await watch.start();
    expect(watch.phase).toBe("ready");
  });

  test("it can be stopped, and started again", async () => {
    const from = source(5);
    const watch = new ReviewWatch<string>(from);
    await watch.start();
    watch.stop();
    expect([watch.phase, from.cancelled]).toEqual(["stopped", ["key"]]);
    const count = from.times.length;
    await vi.runAllTimersAsync();
    expect(from.times).toHaveLength(count);
    void watch.start();
    await vi.runAllTimersAsync();
    expect(watch.phase).toBe("ready");
  });

  test("stopped before it has a key, it is cancelled as soon as it has one", async () => {
    const from = source(5);
    const watch = new ReviewWatch<string>(from);
    const started = watch.start();
    watch.stop();
    await started;
    expect([watch.phase, from.cancelled, from.times]).toEqual(["stopped", ["key"], []]);
  });

  test("a failure and a refusal are said, and it can be tried again", async () => {
    const from = source(2);
    const refused = vi.spyOn(from, "start").mockRejectedValueOnce(new Refusal({ code: "offline", params: {}, text: "" }));
    const watch = new ReviewWatch<string>(from);
    await watch.start();
    expect([watch.phase, watch.refusal?.code]).toEqual(["failed", "offline"]);
    vi.spyOn(from, "look").mockResolvedValueOnce({ ...working(3), failed: true });
    await watch.start();
    expect([watch.phase, watch.refusal]).toEqual(["failed", null]);
    await watch.start();
    await vi.runAllTimersAsync();
    expect([watch.phase, refused.mock.calls.length]).toEqual(["ready", 3]);
  });
});
