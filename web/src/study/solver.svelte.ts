/** The solver on this device: progress that is kept, and what follows from it. */

import { keep, kept } from "../lib/storage";
import { fittingGrade } from "./choose";
import { dayOf, type Day } from "./dates";
import { liveDays, merge, NOTHING, read, write, type DailyResult, type Progress } from "./progress";
import type { Puzzle } from "./puzzles";
import type { RushRun } from "./rush";
import { missed, solved, type GameSlip, type Slip } from "./slips";
import { streakOf } from "./streak";
import { keepToday } from "./today";

const KEY = "study";

function load(): Progress {
  try {
    return read(JSON.parse(kept(KEY) ?? "null")) ?? NOTHING;
  } catch {
    return NOTHING;
  }
}

const NOT_DONE: DailyResult = { puzzle: null, sprint: null, live: false };

export class Solver {
  progress = $state.raw<Progress>(load());
  today = $state<Day>(dayOf(new Date()));
  streak = $derived(streakOf(liveDays(this.progress), this.today));
  /** Called after a change on this device. */
  onchange = (): void => {};
  /** Called with the first try at a puzzle. */
  onfirst = (_puzzle: Pick<Puzzle, "id" | "grade">, _right: boolean): void => {};

  /** Midnight may have passed. */
  lookAtCalendar(): void {
    const now = dayOf(new Date());
    if (now !== this.today) this.today = now;
  }

  daily(day: Day): DailyResult {
    return this.progress.days[day] ?? NOT_DONE;
  }

  /** Take over what another device or tab knows; returns whether that was anything new. */
  adopt(other: Progress): boolean {
    const merged = merge(this.progress, other);
    const fresh = JSON.stringify(write(merged)) !== JSON.stringify(write(this.progress));
    if (fresh) this.store(merged);
    return fresh;
  }

  reload(): void {
    this.progress = merge(this.progress, load());
  }

  private store(progress: Progress): void {
    this.progress = progress;
    keep(KEY, JSON.stringify(write(progress)));
    this.note();
  }

  private add(news: Partial<Progress>): void {
    // Another tab may have written since.
    this.store(merge(merge(this.progress, load()), { ...NOTHING, ...news }));
    this.onchange();
  }

  /** The few words that the home page shows. */
  private note(): void {
    const { puzzle, sprint } = this.daily(this.today);
    keepToday({
      day: this.today,
      puzzle: puzzle && { right: puzzle.right, solved: puzzle.solved },
      sprint: sprint && { points: sprint.points, optimum: sprint.optimum },
      streak: this.streak.days,
      until: this.streak.until,
    });
  }

  private onDay(day: Day, result: Partial<DailyResult>): Pick<Progress, "days"> {
    this.lookAtCalendar();
    return { days: { [day]: { ...NOT_DONE, ...result, live: day === this.today } } };
  }

  /** An answer to a puzzle. The first one counts: for the grade that fits, for the rating, and for the slips if it is wrong. */
  answer(puzzle: Pick<Puzzle, "id" | "grade">, right: boolean, day: Day | null = null): void {
    this.lookAtCalendar();
    const { id, grade } = puzzle;
    const at = Date.now();
    const before = this.progress.tried[id];
    const slip = this.progress.slips[id];
    const { level } = this.progress;
    this.add({
      tried: { [id]: { on: this.today, right: before?.right ?? right, solved: right } },
      ...(!before && { level: { grade: fittingGrade(level.grade, grade, right), at } }),
      ...(day !== null && this.onDay(day, { puzzle: { at: Math.floor(at / 1000), right, solved: right } })),
      ...(!right && (!before || slip) && { slips: { [id]: missed(this.today, at) } }),
    });
    if (!before) this.onfirst(puzzle, right);
  }

  sprint(day: Day, moves: readonly string[], points: number, optimum: number): void {
    this.add(this.onDay(day, { sprint: { at: Math.floor(Date.now() / 1000), points, optimum, best: points, moves } }));
  }

  /** The end of a run. Its puzzles count as tried, but not for the rating: time pressed. */
  finishRush(run: RushRun): void {
    const failed = run.answers.filter(({ right }) => !right);
    this.lookAtCalendar();
    this.add({
      rush: [{ at: run.at, answers: [...run.answers] }],
      tried: Object.fromEntries(run.answers.map(({ id, right }) => [id, { on: this.today, right, solved: right }])),
      slips: Object.fromEntries(failed.map(({ id }) => [id, missed(this.today, Date.now())])),
    });
  }

  /** A better move that was missed in a game; known ones are left as they are. */
  missedInGame(name: string, game: GameSlip): void {
    this.lookAtCalendar();
    if (!(name in this.progress.slips)) this.add({ slips: { [name]: missed(this.today, Date.now(), game) } });
  }

  /**
   * The slips of a game that has been reviewed; `prefix` begins the names of all of them. They replace those that were found
   * by points, unless these have been solved since.
   */
  reviewedGame(prefix: string, found: readonly (readonly [name: string, game: GameSlip])[]): void {
    this.lookAtCalendar();
    const at = Date.now();
    const known = this.progress.slips;
    const slips: Record<string, Slip> = {};
    for (const [name, slip] of Object.entries(known)) {
      if (name.startsWith(prefix) && slip.step === 0 && slip.due !== null && slip.game?.loss === undefined) {
        slips[name] = { ...slip, due: null, at };
      }
    }
    for (const [name, game] of found) {
      if (name in slips) slips[name] = { ...known[name]!, game, at };
      else if (!(name in known)) slips[name] = missed(this.today, at, game);
    }
    if (Object.keys(slips).length) this.add({ slips });
  }

  /** The answer to a slip that was due. */
  answerSlip(name: string, right: boolean): void {
    this.lookAtCalendar();
    const slip = this.progress.slips[name];
    if (!slip) return;
    const at = Date.now();
    const next = right ? solved(slip, this.today, at) : missed(this.today, at, slip.game);
    if (next !== slip) this.add({ slips: { [name]: next } });
  }
}

export const solver = new Solver();
