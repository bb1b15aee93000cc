/** What the profile makes of a person's figures: the course of the accuracy, and what one sees well and what one misses. */

import type { Profile } from "../protocol/messages";

type Sight = Profile["sight"];
export type SightKind = Exclude<keyof Sight, "all">;
export const SIGHT_KINDS: readonly SightKind[] = ["flips", "long_runs", "columns", "rows"];

/** So many occasions are needed before anything is said of a kind. */
const LEAST_CHANCES = 10;
/** And so much must it differ from the share over all kinds. */
const LEAST_DIFFERENCE = 0.06;

export const shareOf = ({ found, chances }: { found: number; chances: number }): number => (chances ? found / chances : 0);

/** The kind that is seen best and the one that is missed most, as far as they differ from what is usual for the person. */
export function strengths(sight: Sight): { well: SightKind | null; missed: SightKind | null } {
  const total = (name: "found" | "chances") => SIGHT_KINDS.reduce((sum, kind) => sum + sight[kind][name], 0);
  const usual = shareOf({ found: total("found"), chances: total("chances") });
  const known = SIGHT_KINDS.filter((kind) => sight[kind].chances >= LEAST_CHANCES)
    .map((kind) => ({ kind, difference: shareOf(sight[kind]) - usual }))
    .sort((one, other) => other.difference - one.difference);
  const [first, last] = [known[0], known.at(-1)];
  return {
    well: first && first.difference >= LEAST_DIFFERENCE ? first.kind : null,
    missed: last && last.difference <= -LEAST_DIFFERENCE ? last.kind : null,
  };
}

/** How many games the running mean covers. */
const WINDOW = 10;

export interface AccuracyPoint {
  accuracy: number;
  /** The mean of this game and those before it, and the bounds of one standard deviation around it. */
  mean: number;
  low: number;
  high: number;
}

/** The accuracy of each game with the running mean and its spread, oldest first. */
export function accuracyCourse(games: readonly { accuracy: number }[]): AccuracyPoint[] {
  return games.map(({ accuracy }, n) => {
    const near = games.slice(Math.max(0, n + 1 - WINDOW), n + 1).map((game) => game.accuracy);
    const mean = near.reduce((sum, each) => sum + each, 0) / near.length;
    const squares = near.reduce((sum, each) => sum + (each - mean) ** 2, 0);
    const spread = near.length > 1 ? Math.sqrt(squares / (near.length - 1)) : 0;
    return { accuracy, mean, low: Math.max(0, mean - spread), high: Math.min(100, mean + spread) };
  });
}
