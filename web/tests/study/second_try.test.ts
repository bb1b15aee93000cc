// @vitest-environment ./tests/client-environment.ts
/** A turn of a reviewed game is tried again until a move is found that is as good as the best. */

import { describe, expect, test, vi } from "vitest";
import { Refusal } from "../../src/lib/api";
import { SecondTry } from "../../src/study/second_try.svelte";

vi.mock("../../src/lib/sound", () => ({ sound: () => {} }));
vi.mock("../../src/lib/settings.svelte", () => ({ settings: { confirm: true } }));

describe("a turn that is tried again", () => {
  const POSITION =
    "........./........./....6..../........./..9.D.7../........./....4..../........./......... 0 27,?? 0,0 63 standard";
  const turn = { number: 5, seat: 0, points: 0, position: POSITION, move: "e4+7", best: { move: "d5=7", points: 0 } };
  const plays = [
    { move: "d5=7", points: 0, worth: 4, win: null },
    { move: "b5+2", points: 0, worth: 3.8, win: null },
    { move: "e4+7", points: 0, worth: -5, win: null },
  ];

  /** Try these moves, one after the other. */
  async function tried(moves: string[], rank: () => Promise<{ plays: typeof plays; exact: boolean }>): Promise<SecondTry> {
    const attempt = new SecondTry(turn, rank);
    for (const each of moves) {
      attempt.practice.lay(each);
      attempt.practice.play();
      await Promise.resolve();
      await vi.waitFor(() => expect(attempt.busy).toBe(false));
    }
    return attempt;
  }
  const ranked = () => Promise.resolve({ plays, exact: false });

  test("is found by the best move, which needs no ranking", async () => {
    const never = vi.fn(ranked);
    const attempt = await tried(["d5=7"], never);
    expect([attempt.verdict?.kind, attempt.found, never.mock.calls.length]).toEqual(["best", true, 0]);
  });

  test("is found by a move that is as good, and not by a worse one, which is taken back", async () => {
    const attempt = await tried(["e4+7"], ranked);
    expect(attempt.verdict).toEqual({ kind: "worse", points: 0, loss: 9 });
    expect([attempt.found, attempt.practice.laid]).toEqual([false, null]);
    expect((await tried(["e4+7", "b5+2"], ranked)).verdict?.kind).toBe("equal");
  });

  test("without a ranking only the best move counts", async () => {
    const attempt = await tried(["b5+2"], () => Promise.reject(new Refusal({ code: "offline", params: {}, text: "" })));
    expect(attempt.verdict).toEqual({ kind: "worse", points: 0, loss: null });
    attempt.showBest();
    attempt.practice.play();
    expect(attempt.found).toBe(true);
  });
});
