/** The lessons: a position, a hand and a goal, from the first Kakuro to the expert game. */

import { m } from "../words";
import type { Variant } from "../rules/scoring";

export interface Lesson {
  title: () => string;
  text: () => string;
  done: () => string;
  tiles: string;
  hand: number[];
  /** The points to reach in one move. */
  goal: number;
  variant?: Variant;
}

export const LESSONS: Lesson[] = [
  { title: m.lesson_1_title, text: m.lesson_1_text, done: m.lesson_1_done, tiles: "d5=8 e5+3", hand: [5, 9], goal: 8 },
  { title: m.lesson_2_title, text: m.lesson_2_text, done: m.lesson_2_done, tiles: "e5+2 f5+6", hand: [3, 8], goal: 8 },
  { title: m.lesson_3_title, text: m.lesson_3_text, done: m.lesson_3_done, tiles: "d5=3 e5+9", hand: [4, 7], goal: 13 },
  { title: m.lesson_4_title, text: m.lesson_4_text, done: m.lesson_4_done, tiles: "c4=5 d4+1 d3=7 d5+2", hand: [4, 7], goal: 7 },
  {
    title: m.lesson_5_title,
    text: m.lesson_5_text,
    done: m.lesson_5_done,
    tiles: "b4=9 c4+8 d4+3 f5=1 f6+8 g5+2",
    hand: [3, 8],
    goal: 11,
  },
  {
    title: m.lesson_6_title,
    text: m.lesson_6_text,
    done: m.lesson_6_done,
    tiles: "g1=9 f2+6 g2+3 h2+9 e3+6 g3+9 d4=5 e4+2 f4+6 e5=6 f5+7 f6+1 g6+5 h6+8 e7+4 f7=8",
    hand: [7, 8],
    goal: 34,
  },
  { title: m.lesson_7_title, text: m.lesson_7_text, done: m.lesson_7_done, tiles: "a5+2 b5+6 c5+4", hand: [2, 9], goal: 12 },
  {
    title: m.lesson_8_title,
    text: m.lesson_8_text,
    done: m.lesson_8_done,
    tiles: "a5=3 b5+9 c5+3 d5=2 e5+5 f5+1 g5+6",
    hand: [4, 7],
    goal: 33,
  },
  {
    title: m.lesson_9_title,
    text: m.lesson_9_text,
    done: m.lesson_9_done,
    tiles: "a3=1 b3+8 c3+2 d3+1 e3+4 f3+5 g3+2 e4+3 e5+1 h1=9 h2+2",
    hand: [3, 7],
    goal: 27,
  },
  {
    title: m.lesson_10_title,
    text: m.lesson_10_text,
    done: m.lesson_10_done,
    tiles: "c5+3 d5=6 e5+4 f5+1",
    hand: [2, 8],
    goal: 13,
    variant: "expert",
  },
];
