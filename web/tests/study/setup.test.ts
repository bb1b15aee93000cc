import { expect, test } from "vitest";
import { squareOf } from "../../src/rules/squares";
import { bagOf, readPosition, writePosition, type StudyPosition } from "../../src/study/position";
import * as setup from "../../src/study/setup";
import { amend, begin, branchesBeside, goOn, goTo, line, play, stepAt, takeBack, MOST_STEPS } from "../../src/study/variations";

const START = readPosition(
  "........./........./....6..../........./..9.D.7../........./....4..../........./......... 0 27,35 0,0 63 standard",
).position!;
const square = (name: string) => squareOf(name)!;

/** The position after edits that are all possible. */
const done = (edited: setup.Edited): StudyPosition => {
  expect(edited.fault).toBeNull();
  return edited.position!;
};

test("tiles are put, flipped, moved and cleared, and the bag holds the rest", () => {
  let now = done(setup.putTile(START, square("a1"), { digit: 8, side: "=" }));
  expect(now.bag).toBe(62);
  now = done(setup.flipTile(now, square("a1")));
  expect(now.cells[0]).toBe("8");
  now = done(setup.moveTile(now, square("a1"), square("e3")));
  expect(now.cells[square("e3")]).toBe("8");
  expect(now.bag).toBe(63);
  now = done(setup.moveTile(now, square("e3"), null));
  expect(now.bag).toBe(64);
  now = done(setup.flipTile(now, square("i9")));
  expect(done(setup.clearBoard(now)).bag).toBe(68);
});

test("a ninth tile of a digit is refused with the reason", () => {
  let now = START;
  for (const name of ["a1", "b1", "c1", "d1", "e1", "f1"]) now = done(setup.putTile(now, square(name), { digit: 9, side: "+" }));
  now = done(setup.setHandTile(now, 0, 0, 9));
  const refused = setup.putTile(now, square("g1"), { digit: 9, side: "=" });
  expect(refused).toEqual({ position: null, fault: { code: "too_many_of_a_digit", params: { digit: 9, count: 9 } } });
});

test("hands stay sorted, with unknown tiles last", () => {
  expect(done(setup.setHandTile(START, 0, 0, 9)).hands).toEqual(["79", "35"]);
  expect(done(setup.setHandTile(START, 0, 0, "?")).hands).toEqual(["7?", "35"]);
  const one = done(setup.setHandTile(START, 1, 1, null));
  expect(one.hands).toEqual(["27", "3"]);
  expect(one.bag).toBe(64);
  expect(done(setup.setHandTile(one, 1, 1, 1)).hands).toEqual(["27", "13"]);
});

test("seats come and go with their hands and scores", () => {
  const four = done(setup.setSeats(done(setup.setScore(START, 1, 40)), 4));
  expect([four.hands, four.scores, four.bag]).toEqual([["27", "35", "??", "??"], [0, 40, 0, 0], 59]);
  const two = done(setup.setSeats(done(setup.setToMove(four, 3)), 2));
  expect([two.hands, two.toMove, two.bag]).toEqual([["27", "35"], 1, 63]);
  expect(done(setup.setVariant(two, "expert")).variant).toBe("expert");
});

test.each([-1, 1.5, Number.NaN, 1_000_000])("the score %s is refused", (score) => {
  expect(setup.setScore(START, 0, score).fault?.code).toBe("position_score");
});

test("one plays on, takes back and branches, and nothing that was tried is lost", () => {
  let tree = play(begin(START), "d5+2");
  tree = play(tree, "f5+3");
  expect(line(tree).map(({ played }) => played?.move)).toEqual([undefined, "d5+2", "f5+3"]);
  tree = takeBack(takeBack(tree));
  expect(stepAt(tree).position).toEqual(START);
  tree = play(tree, "d5+7");
  expect(line(tree).map(({ played }) => played?.move)).toEqual([undefined, "d5+7"]);
  expect(branchesBeside(tree, stepAt(tree)).map(({ played }) => played?.move)).toEqual(["d5+2"]);
  const count = tree.steps.length;
  tree = play(takeBack(tree), "d5+2");
  expect(tree.steps).toHaveLength(count);
  expect(goOn(tree).at).toBe(2);
  expect(takeBack(begin(START)).at).toBe(0);
  expect(goTo(tree, 99).at).toBe(tree.at);
});

test("tiles that become known change the step, or branch where moves follow it", () => {
  const unknown = { ...START, hands: ["27", "??"] };
  let tree = play(begin({ ...unknown, bag: bagOf(unknown) }), "d5+2");
  const { position } = stepAt(tree);
  tree = amend(tree, { ...position, hands: [position.hands[0]!, "35"] });
  expect(tree.steps).toHaveLength(2);
  tree = takeBack(play(tree, "f5+3"));
  tree = amend(tree, { ...position, hands: [position.hands[0]!, "46"] });
  expect(tree.steps).toHaveLength(4);
  expect(stepAt(tree).played?.move).toBe("d5+2");
  expect(branchesBeside(tree, stepAt(tree))[0]!.children).toHaveLength(1);
});

test("a tree has a bound", () => {
  let tree = begin(START);
  const moves = ["d5+2", "d5+7", "d5=2", "d5=7", "f5+2", "f5+7", "b5+2", "b5+7"];
  for (let n = 0; n < 2 * MOST_STEPS; n += 1) {
    tree = play(goTo(tree, 0), moves[n % moves.length]!);
    const { position } = stepAt(tree);
    tree = amend(play(takeBack(tree), moves[n % moves.length]!), { ...position, scores: [n, 0] });
    if (stepAt(tree).position.toMove === 1) tree = play(tree, "e4+3");
  }
  expect(tree.steps.length).toBeLessThanOrEqual(MOST_STEPS);
  expect(writePosition(stepAt(tree).position)).toBeTruthy();
});
