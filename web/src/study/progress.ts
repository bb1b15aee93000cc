/**
 * What somebody has solved: the daily, puzzles, rush, slips. It is kept on the device and with the account as one JSON object.
 *
 * `merge` takes the better known of every part, so that devices can be merged in any order and as often as one likes. What
 * happens is recorded by merging it.
 */

import { dayNumbered, numberOf, type Day } from "./dates";
import { better, type RushRun } from "./rush";
import type { GameSlip, Slip } from "./slips";

/** The first try at the puzzle of a day, and whether it was solved in the end. */
export interface PuzzleResult {
  /** In seconds since 1970. */
  at: number;
  right: boolean;
  solved: boolean;
}

/** The first sprint of a day, which counts, and the points of the best one. */
export interface SprintResult {
  /** In seconds since 1970. */
  at: number;
  points: number;
  optimum: number;
  best: number;
  /** The first line; kept for some time only. */
  moves: readonly string[] | null;
}

export interface DailyResult {
  puzzle: PuzzleResult | null;
  sprint: SprintResult | null;
  /** Done on its own day, and not later in the archive: it counts for the streak. */
  live: boolean;
}

/** The first try at a puzzle. */
export interface Try {
  on: Day;
  right: boolean;
  /** Solved then or later. */
  solved: boolean;
}

export interface Progress {
  days: Readonly<Record<Day, DailyResult>>;
  /** By the puzzle's id. */
  tried: Readonly<Record<string, Try>>;
  rush: readonly RushRun[];
  /** By the puzzle's id, or by game and turn. */
  slips: Readonly<Record<string, Slip>>;
  /** The grade that fits the solver, and when it last changed. */
  level: { grade: number; at: number };
}

export const FIRST_GRADE = 2;
export const NOTHING: Progress = { days: {}, tried: {}, rush: [], slips: {}, level: { grade: FIRST_GRADE, at: 0 } };

/** How many of each are kept. */
interface Limits {
  days: number;
  /** The lines of sprints. */
  lines: number;
  tried: number;
  runs: number;
  slips: number;
}
/** Under 256 kB. */
const ON_DEVICE: Limits = { days: 2_500, lines: 60, tried: 6_000, runs: 40, slips: 150 };
/** Under 64 KiB, which is what the server takes. */
const WITH_ACCOUNT: Limits = { days: 420, lines: 10, tried: 3_600, runs: 8, slips: 30 };

/** The smaller of two values, by what is given first; equal ones may still differ in what is not given. */
function least<T>(one: T, other: T, ...keys: ((value: T) => number | string)[]): T {
  for (const key of [...keys, (value: T) => JSON.stringify(value)]) {
    const [a, b] = [key(one), key(other)];
    if (a !== b) return a < b ? one : other;
  }
  return one;
}

type Join<T> = (one: T, other: T) => T;

const orNull =
  <T>(join: Join<T>): Join<T | null> =>
  (one, other) =>
    one && other ? join(one, other) : (one ?? other);

const joinPuzzle: Join<PuzzleResult> = (one, other) => {
  const { at, right } = least(
    one,
    other,
    ({ at }) => at,
    ({ right }) => Number(right),
  );
  return { at, right, solved: one.solved || other.solved };
};

/** The line with the smaller text, if there is one. */
const lineOf = ({ moves }: SprintResult): string => (moves ? `0${moves.join()}` : "1");

const joinSprint: Join<SprintResult> = (one, other) => {
  const first = least(
    one,
    other,
    ({ at }) => at,
    ({ points }) => points,
    ({ optimum }) => optimum,
    lineOf,
  );
  return { ...first, best: Math.max(one.best, other.best) };
};

const joinDay: Join<DailyResult> = (one, other) => ({
  puzzle: orNull(joinPuzzle)(one.puzzle, other.puzzle),
  sprint: orNull(joinSprint)(one.sprint, other.sprint),
  live: one.live || other.live,
});

const joinTry: Join<Try> = (one, other) => {
  const { on, right } = least(
    one,
    other,
    ({ on }) => on,
    ({ right }) => Number(right),
  );
  return { on, right, solved: one.solved || other.solved };
};

const joinSlip: Join<Slip> = (one, other) =>
  least(
    one,
    other,
    ({ at }) => -at,
    ({ step }) => step,
    ({ due }) => due ?? "~",
  );

function joinAll<T>(one: Readonly<Record<string, T>>, other: Readonly<Record<string, T>>, join: Join<T>): Record<string, T> {
  const all: Record<string, T> = { ...one };
  for (const [key, value] of Object.entries(other)) all[key] = key in one ? join(one[key]!, value) : value;
  return all;
}

function joinRuns(one: readonly RushRun[], other: readonly RushRun[]): RushRun[] {
  const runs = new Map<number, RushRun>();
  for (const run of [...one, ...other]) {
    const known = runs.get(run.at);
    runs.set(run.at, known ? least(known, run, ({ answers }) => -answers.length) : run);
  }
  return [...runs.values()].sort((a, b) => b.at - a.at);
}

/** Everything that either knows. */
export const merge: Join<Progress> = (one, other) =>
  bounded(ON_DEVICE, {
    days: joinAll(one.days, other.days, joinDay),
    tried: joinAll(one.tried, other.tried, joinTry),
    rush: joinRuns(one.rush, other.rush),
    slips: joinAll(one.slips, other.slips, joinSlip),
    level: least(
      one.level,
      other.level,
      ({ at }) => -at,
      ({ grade }) => grade,
    ),
  });

/** The first entries by an order, with their keys in alphabetical order. */
function first<T>(
  entries: Readonly<Record<string, T>>,
  most: number,
  order: (a: [string, T], b: [string, T]) => number,
): Record<string, T> {
  const all = Object.entries(entries);
  const chosen = all.length > most ? all.sort(order).slice(0, most) : all;
  return Object.fromEntries(chosen.sort(byKey));
}

const byKey = ([one]: [string, unknown], [other]: [string, unknown]): number => (one < other ? -1 : one > other ? 1 : 0);

/** Without the oldest of what there is too much of; the best run stays. */
function bounded(most: Limits, { days, tried, rush, slips, level }: Progress): Progress {
  const dates = first(days, most.days, (a, b) => byKey(b, a));
  const recent = new Set(Object.keys(dates).slice(-most.lines));
  const [best] = [...rush].sort(better);
  const runs = rush.slice(0, most.runs);
  return {
    days: Object.fromEntries(
      Object.entries(dates).map(([day, result]) =>
        recent.has(day) || !result.sprint?.moves
          ? [day, result]
          : [day, { ...result, sprint: { ...result.sprint, moves: null } }],
      ),
    ),
    tried: first(tried, most.tried, ([one, a], [other, b]) => byKey([b.on, b], [a.on, a]) || byKey([one, a], [other, b])),
    rush: best && !runs.includes(best) ? [...runs.slice(0, -1), best] : runs,
    // Those that are learnt go first: they stay known only so that an older device cannot bring them back.
    slips: first(
      slips,
      most.slips,
      ([one, a], [other, b]) => Number(a.due === null) - Number(b.due === null) || b.at - a.at || byKey([one, a], [other, b]),
    ),
    level,
  };
}

// The JSON form: short, because there may be thousands of entries.

const VERSION = 1;
type WrittenPuzzle = [at: number, right: 0 | 1, solved: 0 | 1];
type WrittenSprint = [at: number, points: number, optimum: number, best: number, moves?: string];
type WrittenDay = [live: 0 | 1, puzzle: 0 | WrittenPuzzle, sprint: 0 | WrittenSprint];
type WrittenSlip = [step: number, due: number, at: number, game?: GameSlip];
/** The document of a solver's progress, as kept on the device and with the account. */
export interface WrittenProgress {
  version: number;
  days: Record<string, WrittenDay>;
  /** Ids by date and mark: `+` right at once, `~` solved later, `-` not solved. */
  tried: Record<string, string>;
  rush: [at: number, answers: string][];
  slips: Record<string, WrittenSlip>;
  level: [grade: number, at: number];
}

const bit = (value: boolean): 0 | 1 => (value ? 1 : 0);

function mapValues<T, U>(record: Readonly<Record<string, T>>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}

function writeSprint({ at, points, optimum, best, moves }: SprintResult): WrittenSprint {
  return moves ? [at, points, optimum, best, moves.join(" ")] : [at, points, optimum, best];
}

function writeDay({ live, puzzle, sprint }: DailyResult): WrittenDay {
  return [bit(live), puzzle ? [puzzle.at, bit(puzzle.right), bit(puzzle.solved)] : 0, sprint ? writeSprint(sprint) : 0];
}

function readDayResult([live, puzzle, sprint]: WrittenDay): DailyResult {
  return {
    live: live === 1,
    puzzle: puzzle ? { at: puzzle[0], right: puzzle[1] === 1, solved: puzzle[2] === 1 } : null,
    sprint: sprint
      ? { at: sprint[0], points: sprint[1], optimum: sprint[2], best: sprint[3], moves: sprint[4]?.split(" ") ?? null }
      : null,
  };
}

function writeTries(tried: Progress["tried"]): Record<string, string> {
  const groups: Record<string, string> = {};
  for (const [id, { on, right, solved }] of Object.entries(tried)) {
    const group = `${numberOf(on)}${right ? "+" : solved ? "~" : "-"}`;
    groups[group] = groups[group] ? `${groups[group]} ${id}` : id;
  }
  return groups;
}

function readTries(groups: Record<string, string>): Record<string, Try> {
  return Object.fromEntries(
    Object.entries(groups).flatMap(([group, ids]) => {
      const mark = group.slice(-1);
      const first: Try = { on: dayNumbered(Number(group.slice(0, -1))), right: mark === "+", solved: mark !== "-" };
      return ids.split(" ").map((id) => [id, first] as const);
    }),
  );
}

function writeSlip({ step, due, at, game }: Slip): WrittenSlip {
  const day = due === null ? 0 : numberOf(due);
  return game ? [step, day, at, game] : [step, day, at];
}

function readSlip([step, due, at, game]: WrittenSlip): Slip {
  return { step, due: due ? dayNumbered(due) : null, at, ...(game && { game }) };
}

export function write({ days, tried, rush, slips, level }: Progress): WrittenProgress {
  return {
    version: VERSION,
    days: mapValues(days, writeDay),
    tried: writeTries(tried),
    rush: rush.map(({ at, answers }) => [at, answers.map(({ id, right }) => id + (right ? "+" : "-")).join(" ")]),
    slips: mapValues(slips, writeSlip),
    level: [level.grade, level.at],
  };
}

/** The document for the account, which has less room. */
export const writeForAccount = (progress: Progress): WrittenProgress => write(bounded(WITH_ACCOUNT, progress));

/** The progress in a document; null if it is none, or of a newer version. */
export function read(document: unknown): Progress | null {
  const written = document as WrittenProgress | null;
  if (written?.version !== VERSION) return null;
  try {
    const found: Progress = {
      days: mapValues(written.days, readDayResult),
      tried: readTries(written.tried),
      rush: written.rush.map(([at, answers]) => ({
        at,
        answers: answers ? answers.split(" ").map((text) => ({ id: text.slice(0, -1), right: text.endsWith("+") })) : [],
      })),
      slips: mapValues(written.slips, readSlip),
      level: { grade: written.level[0], at: written.level[1] },
    };
    return merge(NOTHING, found);
  } catch {
    return null;
  }
}

/** The days that count for the streak. */
export const liveDays = ({ days }: Progress): Day[] => Object.keys(days).filter((day) => days[day]!.live);
