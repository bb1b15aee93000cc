/** The kinds of puzzles in words. */

import { m } from "../words";
import type { Kind, Puzzle } from "./puzzles";

const NAMES: Record<Kind, () => string> = {
  most_points: m.kind_most_points,
  flip: m.kind_flip,
  two_kakuros: m.kind_two_kakuros,
  look_further: m.kind_look_further,
  win: m.kind_win,
  three_kakuros: m.kind_three_kakuros,
  spot_the_error: m.kind_spot_the_error,
};
const TASKS: Record<Exclude<Kind, "spot_the_error">, () => string> = {
  most_points: m.task_most_points,
  flip: m.task_flip,
  two_kakuros: m.task_two_kakuros,
  look_further: m.task_look_further,
  win: m.task_win,
  three_kakuros: m.task_three_kakuros,
};

export const sayKind = (kind: Kind): string => NAMES[kind]();
export const sayTask = ({ kind, claim }: Pick<Puzzle, "kind" | "claim">): string =>
  kind === "spot_the_error" ? m.task_spot_the_error({ count: claim!.points }) : TASKS[kind]();
