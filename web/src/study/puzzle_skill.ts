/**
 * The rating of a solver as a server computes it, for a device without one: see riverstones/server/study/puzzle_ratings.py.
 * A first try is a match of the solver against the puzzle, by the Plackett-Luce model for two players.
 */

/** A rating as the model counts: its mean and its standard deviation. */
export interface Skill {
  mu: number;
  sigma: number;
}

/** A rating as it is shown: the value, and half the width of its 95 % interval. */
export interface Rating {
  value: number;
  spread: number;
}

const MU = 25;
const BETA = MU / 6;
const TAU = MU / 300;
/** The least share of its variance that a rating keeps. */
const KAPPA = 0.0001;
const SCALE = 60;
/** The middle of the grades 1 to 10. */
const MIDDLE = 5.5;
const STEP = 1.25;

export const NEW_SOLVER: Skill = { mu: MU, sigma: MU / 3 };

/** The rating of a puzzle of this grade that nobody has tried. */
const ofGrade = (grade: number): Skill => ({ mu: MU + STEP * (grade - MIDDLE), sigma: MU / 6 });

/** The rating of a solver after the first try at a puzzle of this grade. */
export function rate(solver: Skill, grade: number, solved: boolean): Skill {
  const puzzle = ofGrade(grade);
  const variance = solver.sigma ** 2 + TAU ** 2;
  const c = Math.sqrt(variance + puzzle.sigma ** 2 + TAU ** 2 + 2 * BETA ** 2);
  /** The expected probability of what did not happen. */
  const surprise = 1 / (1 + Math.exp(((solved ? 1 : -1) * (solver.mu - puzzle.mu)) / c));
  const shrinking = (Math.sqrt(variance) / c) * (variance / c ** 2) * surprise * (1 - surprise);
  return {
    mu: solver.mu + ((solved ? 1 : -1) * surprise * variance) / c,
    sigma: Math.sqrt(variance * Math.max(1 - shrinking, KAPPA)),
  };
}

export const shown = ({ mu, sigma }: Skill): Rating => ({ value: Math.round(mu * SCALE), spread: Math.round(2 * sigma * SCALE) });
