/** Reviews of a device's tables: computed once, and kept. */

import { expect, test } from "vitest";
import type { Reports } from "../src/play/local/reports";
import { Reviews } from "../src/play/local/reviews";
import type { Question } from "../src/play/local/messages";
import type { ReviewProgress } from "../src/protocol/messages";

const progress = (done: number, report: object | null): ReviewProgress =>
  ({ done, total: 2, report, failed: false }) as ReviewProgress;

/** What the database of reviews keeps. */
class Kept {
  all = new Map<string, ReviewProgress>();
  get = async (table: string, version: number) => this.all.get(`${table} ${version}`) ?? null;
  keep = async (table: string, version: number, found: ReviewProgress) => void this.all.set(`${table} ${version}`, found);
}

/** Reviews of another visit, and what Python was asked. */
function visit(kept: Kept, version = 1) {
  const asked: string[] = [];
  const steps = [progress(0, null), progress(1, null), progress(2, { accuracy: 90 })];
  const python = async ({ route }: Question) => {
    asked.push(route);
    return { answer: route.startsWith("GET") ? steps.shift() : { review: "local-t-review" } };
  };
  return { asked, reviews: new Reviews(python, kept as unknown as Reports, version) };
}

const START: Question = { route: "POST /tables/{table}/review", given: { path: { table: "local-t" } } };
const LOOK: Question = { route: "GET /study/reviews/{review}", given: { path: { review: "local-t-review" } } };
const FINAL = { answer: progress(2, { accuracy: 90 }) };

test("a review is computed move by move, and a later visit has it at once", async () => {
  const kept = new Kept();
  const first = visit(kept);
  expect(await first.reviews.answer(START)).toEqual({ answer: { review: "local-t-review" } });
  expect(await first.reviews.answer(LOOK)).toEqual({ answer: progress(0, null) });
  await expect.poll(() => kept.all.size).toBe(1);
  expect(await first.reviews.answer(LOOK)).toEqual(FINAL);

  const later = visit(kept);
  expect(await later.reviews.answer(START)).toEqual({ answer: { review: "local-t-review" } });
  expect(await later.reviews.answer(LOOK)).toEqual(FINAL);
  expect(later.asked).toEqual([]);
});

test("a review of an older version is computed again", async () => {
  const kept = new Kept();
  kept.all.set("local-t 1", progress(2, { accuracy: 10 }));
  const { asked, reviews } = visit(kept, 2);
  await reviews.answer(START);
  expect(asked).not.toEqual([]);
});
