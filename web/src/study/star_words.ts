/** Stars in words. */

import { m } from "../words";
import { isGem, starsFor } from "./stars";

const STARS = [m.stars_none, m.stars_one, m.stars_two, m.stars_three];

/** "two stars", "a gem". */
export const sayStars = (points: number, optimum: number): string =>
  isGem(points, optimum) ? m.stars_gem() : STARS[starsFor(points, optimum)]!();
