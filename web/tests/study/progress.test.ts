/** Progress of several devices can be merged in any order, as often as one likes, and nothing is lost. */

import { describe, expect, test } from "vitest";
import { shift } from "../../src/study/dates";
import { merge, NOTHING, read, write, writeForAccount, type Progress } from "../../src/study/progress";
import type { Slip } from "../../src/study/slips";

/** A small generator of random numbers, so that a failure can be repeated. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Progress with a bit of everything; few names and moments, so that two of them collide. */
function made(seed: number): Progress {
  const next = random(seed);
  const below = (most: number): number => Math.floor(next() * most);
  const yes = (): boolean => next() < 0.5;
  const some = <T>(most: number, make: (n: number) => T): Record<string, T> =>
    Object.fromEntries(Array.from({ length: most }, (_, n) => n).flatMap((n) => (yes() ? [[`k${n}`, make(n)]] : [])));
  const days = Object.entries(
    some(6, (n) => {
      const [at, points] = [below(3), below(3) + 10];
      const right = yes();
      return {
        live: yes(),
        puzzle: yes() ? { at: below(3), right, solved: right || yes() } : null,
        sprint: yes()
          ? { at, points, optimum: 73, best: points + below(3), moves: yes() ? [`m${below(2)}`, `n${n}`] : null }
          : null,
      };
    }),
  ).map(([, value], n) => [shift("2026-11-01", n + below(3)), value] as const);
  const right = yes();
  return merge(NOTHING, {
    days: Object.fromEntries(days),
    tried: some(6, () => ({ on: shift("2026-11-01", below(3)), right, solved: right || yes() })),
    rush: [0, 1, 2].filter(yes).map((at) => ({
      at,
      answers: Array.from({ length: below(3) }, (_, n) => ({ id: `k${n}`, right: yes() })),
    })),
    slips: some(6, () => ({ step: below(5), due: yes() ? shift("2026-11-01", below(3)) : null, at: below(3) })),
    level: { grade: 1 + below(3), at: below(3) },
  });
}

const text = (progress: Progress): string => JSON.stringify(write(progress));
const SEEDS = Array.from({ length: 300 }, (_, n) => n);

describe("merging", () => {
  test("is commutative", () => {
    for (const seed of SEEDS) {
      const [a, b] = [made(seed), made(seed + 1000)];
      expect(text(merge(a, b))).toBe(text(merge(b, a)));
    }
  });

  test("is associative", () => {
    for (const seed of SEEDS) {
      const [a, b, c] = [made(seed), made(seed + 1000), made(seed + 2000)];
      expect(text(merge(merge(a, b), c))).toBe(text(merge(a, merge(b, c))));
    }
  });

  test("is idempotent, and changes nothing that is known already", () => {
    for (const seed of SEEDS) {
      const [a, b] = [made(seed), made(seed + 1000)];
      expect(text(merge(a, a))).toBe(text(a));
      expect(text(merge(merge(a, b), a))).toBe(text(merge(a, b)));
    }
  });

  test("loses no day, no try, no run and no slip", () => {
    for (const seed of SEEDS) {
      const [a, b] = [made(seed), made(seed + 1000)];
      const both = merge(a, b);
      for (const part of ["days", "tried", "slips"] as const) {
        expect(Object.keys(both[part])).toEqual([...new Set([...Object.keys(a[part]), ...Object.keys(b[part])])].sort());
      }
      expect(both.rush.map(({ at }) => at).sort()).toEqual([...new Set([...a.rush, ...b.rush].map(({ at }) => at))].sort());
    }
  });
});

const sprint = (at: number, points: number) => ({ at, points, optimum: 73, best: points, moves: ["e4+1"] });

test("the first sprint of the day counts, and the best one is remembered", () => {
  const day = "2026-11-16";
  const phone = merge(NOTHING, { ...NOTHING, days: { [day]: { puzzle: null, sprint: sprint(2, 73), live: true } } });
  const desk = merge(NOTHING, { ...NOTHING, days: { [day]: { puzzle: null, sprint: sprint(1, 50), live: true } } });
  expect(merge(phone, desk).days[day]!.sprint).toEqual({ ...sprint(1, 50), best: 73 });
});

test("a puzzle that was missed first and solved later stays missed first", () => {
  const tries = ["2026-11-15", "2026-11-16"].map((on, n) => ({
    ...NOTHING,
    tried: { a: { on, right: n === 1, solved: n === 1 } },
  }));
  expect(merge(tries[1]!, tries[0]!).tried.a).toEqual({ on: "2026-11-15", right: false, solved: true });
});

test("progress survives being written and read", () => {
  for (const seed of SEEDS) {
    const progress = made(seed);
    expect(read(JSON.parse(JSON.stringify(write(progress))))).toEqual(progress);
  }
});

test.each([null, {}, [], "x", { version: 2 }, { version: 1 }, { version: 1, days: { a: 3 } }])("%j is no progress", (found) => {
  expect(read(found)).toBeNull();
});

test("ten years of everything stay under 256 kB, and under 64 KiB for the account; the newest and the best remain", () => {
  const move = "a1=9~b1";
  const game = { board: ".".repeat(81), hand: [1, 2], variant: "standard", best: 33, answer: move, played: 12 } as const;
  const slip = (n: number): Slip => ({ step: 1, due: "2026-11-16", at: 1e12 + n, game: { ...game, hand: [1, 2] } });
  const named = <T>(count: number, make: (n: number) => [string, T]) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => make(n)));
  const found = merge(NOTHING, {
    days: named(3_650, (n) => [
      shift("2026-01-01", n),
      {
        live: true,
        puzzle: { at: 1e12, right: true, solved: true },
        sprint: { ...sprint(1e12, 73), moves: [move, move, move, move] },
      },
    ]),
    tried: named(9_000, (n) => [`p${10_000 + n}`, { on: shift("2026-01-01", n % 600), right: n % 3 > 0, solved: true }]),
    rush: Array.from({ length: 500 }, (_, n) => ({
      at: 1e12 + n,
      answers: Array.from({ length: n === 7 ? 60 : 50 }, (_, m) => ({ id: `p${10_000 + m}`, right: true })),
    })),
    slips: named(2_000, (n) => [`game:abcdefghijkl:${n}`, slip(n)]),
    level: { grade: 5, at: 1e12 },
  });
  expect(text(found).length).toBeLessThan(256_000);
  const forAccount = writeForAccount(found);
  expect(JSON.stringify(forAccount).length).toBeLessThan(64 * 1024);
  expect(text(merge(found, read(forAccount)!))).toBe(text(found));
  expect(found.days[shift("2026-01-01", 3_649)]!.sprint!.moves).toHaveLength(4);
  expect(found.rush[0]!.at).toBe(1e12 + 499);
  expect(found.rush.map(({ at }) => at)).toContain(1e12 + 7);
  expect(found.slips).toHaveProperty("game:abcdefghijkl:1999");
  expect(text(merge(found, found))).toBe(text(found));
});
