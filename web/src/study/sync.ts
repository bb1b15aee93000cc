/** Progress and first tries on the server: what devices know is merged, and what could not be sent is sent later. */

import { keep, kept } from "../lib/storage";
import { read, writeForAccount, type Progress } from "./progress";
import { NEW_SOLVER, rate, shown, type Rating, type Skill } from "./puzzle_skill";

/** A stored document and the number of times that it has been written. */
interface Stored {
  version: number;
  data: unknown;
}

/** The part of the server that is needed here. */
export interface StudyServer {
  /** Whether the visitor is known to the server, as a guest or by an account. */
  known(): Promise<boolean>;
  progress(): Promise<Stored>;
  keepProgress(version: number, data: unknown): Promise<Stored & { kept: boolean }>;
  /** Null if the server does not have the puzzle. */
  attempt(puzzle: string, solved: boolean): Promise<{ rating: Rating } | null>;
}

/** The solver on this device. */
interface Device {
  progress: Progress;
  adopt(other: Progress): boolean;
}

const QUEUE = "study.queue";
const RATING = "study.rating";
const SKILL = "study.skill";
/** Tries that wait to be sent, at most; more than a day's. */
const LONGEST_QUEUE = 500;
/** Another device may write at the same time, but not for ever. */
const MOST_ROUNDS = 5;

type Waiting = [puzzle: string, solved: boolean][];

function parsed<T>(key: string): T | null {
  try {
    return JSON.parse(kept(key) ?? "null") as T | null;
  } catch {
    return null;
  }
}

const queue = (): Waiting => parsed(QUEUE) ?? [];

/** Remember a first try until the server has it. */
export function enqueue(puzzle: string, solved: boolean): void {
  keep(QUEUE, JSON.stringify([...queue().filter(([id]) => id !== puzzle), [puzzle, solved]].slice(-LONGEST_QUEUE)));
}

/** Rate a first try on this device. A server's rating replaces that as soon as there is one. */
export function rateHere(grade: number, solved: boolean): void {
  if (!parsed<Rating>(RATING)) keep(SKILL, JSON.stringify(rate(parsed<Skill>(SKILL) ?? NEW_SOLVER, grade, solved)));
}

/** The rating that the server has told, or that of this device; null before the first try. */
export function keptRating(): Rating | null {
  const skill = parsed<Skill>(SKILL);
  return parsed<Rating>(RATING) ?? (skill && shown(skill));
}

/** Send the tries that wait, the oldest first; returns the rating after them. A failure leaves the rest for next time. */
async function sendTries(server: StudyServer): Promise<Rating | null> {
  for (const [puzzle, solved] of queue()) {
    const rated = await server.attempt(puzzle, solved);
    if (rated) keep(RATING, JSON.stringify(rated.rating));
    keep(QUEUE, JSON.stringify(queue().filter(([id]) => id !== puzzle)));
  }
  return keptRating();
}

/** Exchange progress with the server until both know the same. */
async function exchange(server: StudyServer, device: Device): Promise<void> {
  let stored = await server.progress();
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const theirs = read(stored.data);
    // Written by a newer version of the page, which knows better.
    if (stored.data !== null && !theirs) return;
    if (theirs) device.adopt(theirs);
    const document = writeForAccount(device.progress);
    if (theirs && JSON.stringify(writeForAccount(theirs)) === JSON.stringify(document)) return;
    const answer = await server.keepProgress(stored.version, document);
    if (answer.kept) return;
    stored = answer;
  }
}

/** Send and fetch everything, for those whom the server knows. Returns the rating, as far as it is known. */
export async function synchronize(server: StudyServer, device: Device): Promise<Rating | null> {
  if (!(await server.known())) return keptRating();
  await exchange(server, device);
  return sendTries(server);
}
