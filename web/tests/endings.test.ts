/** The end of a game: its story from the turns, and its result in a sentence that reads well aloud. */

import { afterEach, describe, expect, test } from "vitest";
import { LOCALES, useLocale, type Locale } from "../src/words/locale";
import { sayResignation, sayResult } from "../src/play/result_words";
import { storyOf } from "../src/play/story";
import { gameOfTwo } from "./fakes";

const turns = (...points: [seat: number, points: number][]) => points.map(([seat, points]) => ({ seat, points }));

describe("the story", () => {
  test("names the biggest move and the move that took the lead for good", () => {
    const game = turns([0, 8], [1, 12], [0, 5], [1, 0], [0, 20], [1, 19], [0, 0]);
    expect(storyOf(game, 2)).toEqual({ swing: { turn: 5, seat: 0, points: 20 }, lead: { turn: 3, seat: 0 } });
  });

  test("a lead that was level in between begins anew", () => {
    expect(storyOf(turns([0, 9], [1, 9], [0, 0], [1, 0], [0, 7]), 2).lead).toEqual({ turn: 5, seat: 0 });
  });

  test("the first of two equal moves is the biggest, and a level end has no lead", () => {
    expect(storyOf(turns([0, 9], [1, 9]), 2)).toEqual({ swing: { turn: 1, seat: 0, points: 9 }, lead: null });
  });

  test("a game without points has no story", () => {
    expect(storyOf(turns([0, 0], [1, 0]), 2)).toEqual({ swing: null, lead: null });
    expect(storyOf([], 3)).toEqual({ swing: null, lead: null });
  });

  test("the lead may be taken by a player who was last before", () => {
    expect(storyOf(turns([1, 30], [0, 10], [2, 31], [0, 0]), 3).lead).toEqual({ turn: 3, seat: 2 });
  });
});

describe("the result", () => {
  const speak = (locale: Locale): void => useLocale(() => locale);
  afterEach(() => speak("en"));
  const result = (scores: number[], winners: number[], byResignation = false) =>
    sayResult({ names: ["Ann", "Brook", "Cleo", "Drop"].slice(0, scores.length), scores, winners, byResignation });

  test.each([
    ["en", "Ann beat Brook 212 to 180 in a game of Riverstones."],
    ["it", "Ann ha battuto Brook per 212 a 180 in una partita di Riverstones."],
    ["fr", "Ann a battu Brook 212 à 180 dans une partie de Riverstones."],
    ["es", "Ann ha ganado a Brook por 212 a 180 en una partida de Riverstones."],
    ["nl", "Ann versloeg Brook met 212 tegen 180 in een partij Riverstones."],
  ] as const)("of two is one sentence in %s", (locale, said) => {
    speak(locale);
    expect(result([212, 180], [0])).toBe(said);
  });

  test("of three names all, the best first", () => {
    expect(result([100, 212, 180], [1])).toBe(
      "Brook won a game of Riverstones with 212 points, ahead of Cleo (180) and Ann (100).",
    );
  });

  test("of a tie", () => {
    expect(result([90, 90], [0, 1])).toBe("Ann and Brook tied at 90 points in a game of Riverstones.");
    expect(result([90, 90, 50, 60], [0, 1])).toBe(
      "Ann and Brook shared the win in a game of Riverstones with 90 points each, ahead of Drop (60) and Cleo (50).",
    );
  });

  test("of a resigned game names no scores, because the winner may have fewer", () => {
    expect(result([10, 40], [0], true)).toBe("Ann won a game of Riverstones by resignation.");
  });

  test.each(LOCALES)("ends with a full stop and has every name (%s)", (locale) => {
    speak(locale);
    for (const [scores, winners] of [
      [[9, 5], [0]],
      [
        [9, 9],
        [0, 1],
      ],
      [[9, 5, 4], [0]],
      [
        [9, 9, 4, 2],
        [0, 1],
      ],
    ] as const) {
      const said = result([...scores], [...winners]);
      expect(said).toMatch(/Riverstones.*\.$/);
      scores.forEach((_, seat) => expect(said).toContain(["Ann", "Brook", "Cleo", "Drop"][seat]));
      expect(said).not.toContain("{");
    }
  });
});

describe("a resignation", () => {
  const resigned = (seat: number, you: number[], person: string | null = "x") => {
    const game = gameOfTwo({}, { seats: you });
    const chairs = game.chairs.map((chair, at) => (at === seat ? { ...chair, resigned: true, person } : chair));
    return sayResignation({ ...game, chairs }, ["Ann", "Bo"]);
  };

  test("says who resigned", () => {
    expect(resigned(0, [0])).toBe("You resigned");
    expect(resigned(1, [0])).toBe("Bo resigned");
    expect(resigned(0, []), "for a spectator").toBe("Ann resigned");
    expect(resigned(0, [0, 1]), "on a shared device").toBe("Ann resigned");
  });

  test("is not that of the bot that took the seat", () => {
    expect(resigned(1, [0], null)).toBe("By resignation");
  });
});
