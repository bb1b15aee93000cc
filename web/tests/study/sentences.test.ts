/** What is shared is a sentence of at most 140 characters, in every language. */

import { expect, test } from "vitest";
import { shift } from "../../src/study/dates";
import { sentenceOf } from "../../src/study/sentences";
import { LOCALES, useLocale, type Locale } from "../../src/words/locale";

const sprint = (points: number, optimum: number) => ({ at: 0, points, optimum, best: points, moves: null });
const puzzle = (right: boolean, solved: boolean) => ({ at: 0, right, solved });

test.each<[Locale, string]>([
  ["en", "Riverstones, Monday 16 November: Sprint 64 of 73 points, two stars. Day 5 in a row."],
  ["it", "Riverstones, lunedì 16 novembre: sprint, 64 punti su 73, due stelle. 5 giorni di fila."],
  ["fr", "Riverstones, lundi 16 novembre\u00a0: sprint, 64 points sur 73, deux étoiles. 5 jours d’affilée."],
  ["es", "Riverstones, lunes, 16 de noviembre: sprint, 64 de 73 puntos, dos estrellas. 5 días seguidos."],
  ["nl", "Riverstones, maandag 16 november: sprint 64 van 73 punten, twee sterren. Dag 5 op rij."],
])("in %s it reads as people speak", (locale, expected) => {
  useLocale(() => locale);
  expect(sentenceOf("2026-11-16", { sprint: sprint(64, 73), puzzle: null }, 5)).toBe(expected);
});

test("no sentence is longer than 140 characters, and each ends as one", () => {
  for (const locale of LOCALES) {
    useLocale(() => locale);
    for (let n = 0; n < 365; n += 16) {
      const day = shift("2026-01-01", n);
      const results = [
        { sprint: null, puzzle: puzzle(true, true) },
        { sprint: null, puzzle: puzzle(false, true) },
        { sprint: null, puzzle: puzzle(false, false) },
        ...[100, 150, 180, 195, 200].map((points) => ({ sprint: sprint(points, 200), puzzle: puzzle(true, true) })),
      ];
      for (const result of results) {
        const said = sentenceOf(day, result, 1_234);
        expect(said.length, said).toBeLessThanOrEqual(140);
        expect(said).toMatch(/^Riverstones, .*\.$/);
      }
    }
  }
});

test("one day is not a row of days", () => {
  useLocale(() => "en");
  expect(sentenceOf("2026-11-16", { sprint: null, puzzle: puzzle(true, true) }, 1)).toBe(
    "Riverstones, Monday 16 November: Puzzle solved at the first try.",
  );
});
