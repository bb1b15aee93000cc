/** The stars of a sprint. */

const SHARES = [50, 75, 90, 100];
const GEM = SHARES.length;

/** The stars for a sprint: one from 50 % of the optimum, two from 75 %, three from 90 %, four (a gem) for 100 %. */
export const starsFor = (points: number, optimum: number): number =>
  SHARES.filter((share) => 100 * points >= share * optimum).length;

export const isGem = (points: number, optimum: number): boolean => starsFor(points, optimum) === GEM;
