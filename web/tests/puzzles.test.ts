import text from "../../src/riverstones/study/puzzles/puzzles.txt?raw";
import { describe, expect, test } from "vitest";
import { parseMove } from "../src/rules/moves";
import { explain } from "../src/rules/scoring";
import { addDays, dayNumber, isoDate, localDate, parseDate, puzzleIndex, sprintIndex, weekdayOf } from "../src/study/daily";
import { readBook, readPuzzle, readSprint, Unreadable } from "../src/study/puzzle_file";
import { NEW_SOLVER, rate, shown } from "../src/study/puzzle_skill";
import { KINDS, claimIsRight, type Puzzle, type Sprint } from "../src/study/puzzles";
import { starsFor } from "../src/study/stars";
import { casesOf } from "./cases";

interface PuzzleCase {
  type: "puzzle";
  line: string;
  read: Puzzle;
}
interface SprintCase {
  type: "sprint";
  line: string;
  read: Sprint;
}
interface DateCase {
  type: "date";
  date: [number, number, number];
  weekday: number;
  iso: string;
  indexes: [number, number, number][];
}
interface RatingCase {
  type: "rating";
  tries: [grade: number, solved: boolean][];
  ratings: [mu: number, sigma: number, value: number, spread: number][];
}
/** Setting `TZ` changes the time zone of the process. */
declare const process: { env: Record<string, string | undefined> };

const cases = casesOf<PuzzleCase | SprintCase | DateCase | RatingCase>("puzzle");
const book = readBook(text);

describe("the file that Python wrote", () => {
  test("is read alike", () => {
    for (const each of cases) {
      if (each.type === "puzzle") expect(readPuzzle(each.line)).toEqual(each.read);
      if (each.type === "sprint") expect(readSprint(each.line)).toEqual(each.read);
    }
    expect(new Set(cases.map(({ type }) => type))).toEqual(new Set(["puzzle", "sprint", "date", "rating"]));
  });

  test("is chosen alike for a date", () => {
    for (const each of cases) {
      if (each.type !== "date") continue;
      const [year, month, day] = each.date;
      const date = { year, month, day };
      expect(weekdayOf(date)).toBe(each.weekday);
      expect(isoDate(date)).toBe(each.iso);
      expect(parseDate(each.iso)).toEqual(date);
      for (const [count, puzzle, sprint] of each.indexes) {
        expect([puzzleIndex(count, date), sprintIndex(count, date)]).toEqual([puzzle, sprint]);
      }
    }
  });

  test("is rated alike", () => {
    for (const each of cases) {
      if (each.type !== "rating") continue;
      let skill = NEW_SOLVER;
      each.tries.forEach(([grade, solved], n) => {
        skill = rate(skill, grade, solved);
        const [mu, sigma, value, spread] = each.ratings[n]!;
        expect(skill.mu).toBeCloseTo(mu, 9);
        expect(skill.sigma).toBeCloseTo(sigma, 9);
        expect(shown(skill)).toEqual({ value, spread });
      });
    }
  });
});

describe("the shipped file", () => {
  test("scores every answer and claim by the browser's rules", () => {
    for (const puzzle of book.puzzles) {
      const told = explain(puzzle.board, parseMove(puzzle.answer)!, puzzle.variant);
      expect(told.points, puzzle.id).toBe(puzzle.best);
      if (puzzle.claim) expect(claimIsRight(puzzle), puzzle.id).toBe(!told.refusal && told.points === puzzle.claim.points);
      else expect(told.refusal, puzzle.id).toBeNull();
    }
  });

  test("finds puzzles by their names, kinds and grades", () => {
    expect(new Set(book.puzzles.map(({ kind }) => kind))).toEqual(new Set(KINDS));
    expect(new Set(book.puzzles.map(({ id }) => id)).size).toBe(book.puzzles.length);
    const some = book.puzzles[40]!;
    expect(book.byId(some.id)).toBe(some);
    expect(book.byId("nothing")).toBeUndefined();
    expect(book.of(some.kind, some.grade)).toContain(some);
    expect(book.of()).toHaveLength(book.puzzles.length);
    expect(book.of("win").every(({ others, scores }) => others?.length === 2 && scores?.length === 2)).toBe(true);
  });

  test("has an easier puzzle on Monday than on Sunday", () => {
    for (let week = 0; week < 50; week += 1) {
      const monday = addDays({ year: 2026, month: 11, day: 16 }, 7 * week);
      const grades = [0, 1, 2, 3, 4, 5, 6].map((day) => book.daily(addDays(monday, day)).puzzle.grade);
      expect(grades).toEqual([...grades].sort((a, b) => a - b));
      expect(grades[0]).toBeLessThan(grades[6]!);
    }
  });

  test("repeats no puzzle and no sprint before all were used", () => {
    const start = { year: 2026, month: 11, day: 16 };
    const days = 7 * Math.floor(book.puzzles.length / 7);
    const seen = new Set(Array.from({ length: days }, (_, n) => puzzleIndex(book.puzzles.length, addDays(start, n))));
    expect(seen.size).toBe(days);
    const sprints = Array.from({ length: book.sprints.length }, (_, n) => book.daily(addDays(start, n)).sprint.id);
    expect(new Set(sprints).size).toBe(book.sprints.length);
  });

  test.each(["", "riverstones-puzzles 2 seed 1 puzzles 0 sprints 0\n", text.slice(0, -40), text.replace(/\n(.{4})./, "\n$1!")])(
    "is refused as a whole if it is damaged (%#)",
    (damaged) => expect(() => readBook(damaged)).toThrow(Unreadable),
  );
});

describe("a date", () => {
  test.each(["2026-02-29", "2026-13-01", "2026-1-1", "yesterday", "2026-11-31"])("is refused if there is none: %s", (wrong) =>
    expect(parseDate(wrong)).toBeNull(),
  );

  test("follows another across months, years and leap days", () => {
    expect(addDays({ year: 2026, month: 12, day: 31 }, 1)).toEqual({ year: 2027, month: 1, day: 1 });
    expect(addDays({ year: 2028, month: 2, day: 28 }, 1)).toEqual({ year: 2028, month: 2, day: 29 });
    expect(addDays({ year: 2026, month: 3, day: 1 }, -1)).toEqual({ year: 2026, month: 2, day: 28 });
  });

  // Samoa skipped 30 December 2011; the others have daylight saving, half hours, or the far sides of the date line.
  const ZONES = ["Europe/Rome", "America/New_York", "Pacific/Kiritimati", "Pacific/Apia", "Asia/Kolkata", "Pacific/Pago_Pago"];
  test.each(ZONES)("is the one on the calendar, quarter by quarter of an hour, in %s", (zone) => {
    const before = process.env.TZ;
    process.env.TZ = zone;
    try {
      const calendar = new Intl.DateTimeFormat("en-CA", { timeZone: zone, dateStyle: "short" });
      const turns = ["2026-03-28", "2026-10-24", "2026-03-07", "2026-10-31", "2026-12-30", "2011-12-29"];
      for (const turn of turns) {
        let last: number | null = null;
        const start = new Date(`${turn}T00:00:00Z`).getTime();
        for (let quarter = 0; quarter < 4 * 24 * 4; quarter += 1) {
          const now = new Date(start + 15 * 60_000 * quarter);
          const local = localDate(now);
          expect(isoDate(local)).toBe(calendar.format(now));
          const number = dayNumber(local);
          if (last !== null && number !== last) {
            const skipped = zone === "Pacific/Apia" && turn === "2011-12-29" && isoDate(local) === "2011-12-31";
            expect(number - last).toBe(skipped ? 2 : 1);
            expect([now.getHours(), now.getMinutes()]).toEqual([0, 0]);
          }
          last = number;
        }
      }
    } finally {
      if (before === undefined) delete process.env.TZ;
      else process.env.TZ = before;
    }
  });

  test("begins on one side of the date line while it ends on the other", () => {
    const before = process.env.TZ;
    const at = (zone: string): string => {
      process.env.TZ = zone;
      return isoDate(localDate(new Date("2026-12-31T10:30:00Z")));
    };
    try {
      expect(at("Pacific/Kiritimati")).toBe("2027-01-01");
      expect(at("Pacific/Pago_Pago")).toBe("2026-12-30");
    } finally {
      if (before === undefined) delete process.env.TZ;
      else process.env.TZ = before;
    }
  });
});

test("stars begin at 50, 75 and 90 %, and a gem is the optimum", () => {
  expect([36, 37, 54, 55, 65, 66, 72, 73].map((points) => starsFor(points, 73))).toEqual([0, 1, 1, 2, 2, 3, 3, 4]);
});
