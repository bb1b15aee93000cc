/** The moves that were tried from a position, as a tree: play on, take back, branch. A step is never changed once others follow it. */

import { parseMove, writeMove } from "../rules/moves";
import { explain } from "../rules/scoring";
import { afterMove, type StudyPosition } from "./position";

export interface Step {
  id: number;
  /** The step before; null for the position that was set up. */
  parent: number | null;
  children: readonly number[];
  position: StudyPosition;
  /** The move that led here; null for the position that was set up. */
  played: { seat: number; move: string; points: number } | null;
}

export interface Variations {
  /** Each step at the index of its id. */
  steps: readonly Step[];
  /** The step that is shown. */
  at: number;
}

/** More than anybody tries; a bound for the memory of the page. */
export const MOST_STEPS = 600;

export const begin = (position: StudyPosition): Variations => ({
  steps: [{ id: 0, parent: null, children: [], position, played: null }],
  at: 0,
});

export const stepAt = ({ steps, at }: Variations): Step => steps[at]!;

const samePosition = (one: StudyPosition, other: StudyPosition): boolean => JSON.stringify(one) === JSON.stringify(other);

function append(tree: Variations, parent: number, position: StudyPosition, played: Step["played"]): Variations {
  const known = tree.steps[parent]!.children.find((child) => {
    const step = tree.steps[child]!;
    return step.played?.move === played?.move && samePosition(step.position, position);
  });
  if (known !== undefined) return { ...tree, at: known };
  const id = tree.steps.length;
  if (id >= MOST_STEPS) return tree;
  const steps = tree.steps.map((step) => (step.id === parent ? { ...step, children: [...step.children, id] } : step));
  return { steps: [...steps, { id, parent, children: [], position, played }], at: id };
}

/** Play a legal move. The same move again leads to the step that is already there; another one is a branch. */
export function play(tree: Variations, text: string): Variations {
  const { position, children } = stepAt(tree);
  const move = parseMove(text)!;
  const written = writeMove(move);
  const again = children.find((child) => tree.steps[child]!.played?.move === written);
  if (again !== undefined) return { ...tree, at: again };
  const { points } = explain(position.cells, move, position.variant);
  return append(tree, tree.at, afterMove(position, move), { seat: position.toMove, move: written, points });
}

/** The shown position with other tiles in hand. Where moves follow already, they stay: this becomes a branch beside them. */
export function amend(tree: Variations, position: StudyPosition): Variations {
  const step = stepAt(tree);
  if (samePosition(step.position, position)) return tree;
  if (!step.children.length) {
    return { ...tree, steps: tree.steps.map((each) => (each.id === step.id ? { ...each, position } : each)) };
  }
  return step.parent === null ? begin(position) : append(tree, step.parent, position, step.played);
}

export const takeBack = (tree: Variations): Variations => ({ ...tree, at: stepAt(tree).parent ?? tree.at });

export const goTo = (tree: Variations, id: number): Variations => (tree.steps[id] ? { ...tree, at: id } : tree);

/** On to the branch that was tried last. */
export const goOn = (tree: Variations): Variations => ({ ...tree, at: stepAt(tree).children.at(-1) ?? tree.at });

/** The line that is shown: from the position that was set up to the shown step, and on along the branches tried last. */
export function line(tree: Variations): Step[] {
  const before: Step[] = [];
  for (let step: Step | undefined = stepAt(tree); step; step = step.parent === null ? undefined : tree.steps[step.parent]) {
    before.unshift(step);
  }
  for (let next = before.at(-1)!.children.at(-1); next !== undefined; next = before.at(-1)!.children.at(-1)) {
    before.push(tree.steps[next]!);
  }
  return before;
}

/** The other moves that were tried in place of this one. */
export const branchesBeside = ({ steps }: Variations, step: Step): Step[] =>
  step.parent === null ? [] : steps[step.parent]!.children.filter((id) => id !== step.id).map((id) => steps[id]!);
