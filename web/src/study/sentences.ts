/** The sentences of the daily: stars in words, and what is shared. */

import { m } from "../words";
import { currentLocale } from "../words/locale";
import { sayDate, type Day } from "./dates";
import type { DailyResult, PuzzleResult } from "./progress";
import { sayStars } from "./star_words";

export const sayPuzzle = ({ right, solved }: Pick<PuzzleResult, "right" | "solved">): string =>
  right ? m.daily_first_try() : solved ? m.daily_solved() : m.daily_not_solved();

/**
 * The result of a day in at most 140 characters, to be read aloud: "Riverstones, Monday 16 November: Sprint 64 of 73 points,
 * two stars. Day 5 in a row." The sprint says more than the puzzle.
 */
export function sentenceOf(day: Day, { sprint, puzzle }: Pick<DailyResult, "sprint" | "puzzle">, streak: number): string {
  const date = sayDate(day, currentLocale());
  const result = sprint
    ? m.daily_share_sprint({
        date,
        points: sprint.points,
        optimum: sprint.optimum,
        stars: sayStars(sprint.points, sprint.optimum),
      })
    : puzzle?.right
      ? m.daily_share_first_try({ date })
      : puzzle?.solved
        ? m.daily_share_solved({ date })
        : m.daily_share_tried({ date });
  return streak > 1 ? `${result} ${m.daily_share_streak({ count: streak })}` : result;
}
