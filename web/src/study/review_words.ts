/** The words of a review: the class of a move, and what was wrong with it. */

import { m } from "../words";
import { MARKS, classOf, type Fact, type MoveClass, type ReportMove } from "./report";

const CLASS_WORDS: Record<MoveClass, () => string> = {
  best: m.review_class_best,
  good: m.review_class_good,
  dubious: m.review_class_dubious,
  mistake: m.review_class_mistake,
  blunder: m.review_class_blunder,
};

export const sayClass = (name: MoveClass): string => CLASS_WORDS[name]();

/** The mark and the word for the class of a move; null for a class that this page does not know. */
export function classWords(move: Pick<ReportMove, "class">): { mark: string; text: string } | null {
  const found = classOf(move);
  return found && { mark: MARKS[found], text: sayClass(found) };
}

/** The sentence for each kind of fact, as `riverstones analyse` has it. */
const FACT_WORDS: Record<string, (fact: Fact) => string> = {
  illegal_flip: () => m.review_illegal_flip(),
  flip_overlooked: ({ squares }) => m.review_flip_overlooked({ squares }),
  points_missed: ({ points }) => m.review_points_missed({ points: points! }),
  points_given: ({ points }) => m.review_points_given({ points: points! }),
  wrong_tile: ({ digit, better }) => m.review_wrong_tile({ digit: digit!, better: better! }),
};

export const sayFacts = (facts: readonly Fact[]): string[] => facts.flatMap((fact) => FACT_WORDS[fact.kind]?.(fact) ?? []);
