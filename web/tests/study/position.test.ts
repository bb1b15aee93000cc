import { describe, expect, test } from "vitest";
import { EMPTY_BOARD, boardOf } from "../../src/rules/board";
import { parseMove } from "../../src/rules/moves";
import { squareOf } from "../../src/rules/squares";
import { packPosition, unpackPosition } from "../../src/study/link";
import {
  afterMove,
  bagOf,
  bareStones,
  drawUnknown,
  faultsOf,
  looseTiles,
  readPosition,
  writePosition,
  type StudyPosition,
} from "../../src/study/position";
import { LAYOUT_STONES, dealt, likelyLayout, type LayoutName } from "../../src/study/stones";
import { casesOf } from "../cases";

interface Case {
  text: string;
  written: string | null;
  problems: { code: string; params: Record<string, string | number> }[];
}
const cases = casesOf<Case>("position");
const positions = cases.flatMap(({ written }) => (written === null ? [] : [readPosition(written).position!]));

/** Numbers from 0 to below 1, the same in every run. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

test(`positions are read, written and refused as in Python, on ${cases.length} texts`, () => {
  for (const { text, written, problems } of cases) {
    const read = readPosition(text);
    expect(read.problems, text).toEqual(problems);
    expect(read.position && writePosition(read.position), text).toBe(written);
  }
  expect(positions.length).toBeGreaterThan(50);
});

describe("a link", () => {
  const layouts = Object.keys(LAYOUT_STONES) as LayoutName[];

  test("brings back every position, in less than 200 characters with a long host", () => {
    const origin = `https://${"h".repeat(60)}.example.org:65535/study#`;
    positions.forEach((position, n) => {
      const layout = layouts[n % layouts.length]!;
      const packed = packPosition({ position, layout });
      expect(unpackPosition(packed)).toEqual({ position, layout });
      expect((origin + packed).length).toBeLessThanOrEqual(200);
    });
  });

  test("is short for the longest position too", () => {
    // A full board of totals, four hands and the highest scores.
    const cells = [..."ABCDEFGHI"]
      .map((cell) => cell.repeat(7))
      .join("")
      .padEnd(64, "A")
      .padStart(81, ".");
    const bare = { cells, toMove: 3, hands: ["??", "??", "??", "??"], scores: Array<number>(4).fill(999_999), bag: 0 };
    const position: StudyPosition = { ...bare, bag: bagOf(bare), variant: "expert" };
    expect(faultsOf(position)).toEqual([]);
    const packed = packPosition({ position, layout: "edges" });
    expect(packed.length).toBeLessThanOrEqual(78);
    expect(unpackPosition(packed)?.position).toEqual(position);
  });

  test("that was altered gives a possible position or none", () => {
    const random = generator(7);
    const characters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let none = 0;
    for (let n = 0; n < 3_000; n += 1) {
      const text = [...packPosition({ position: positions[n % positions.length]!, layout: "sides" })];
      const at = Math.floor(random() * text.length);
      text[at] = characters[Math.floor(random() * 64)]!;
      const found = unpackPosition(text.join(""));
      if (!found) none += 1;
      else {
        expect(faultsOf(found.position)).toEqual([]);
        expect(packPosition(found)).toBe(text.join(""));
      }
    }
    expect(none).toBeGreaterThan(100);
  });

  test.each([
    "",
    "0",
    "2AAAA",
    "1AAAA",
    "1%",
    "1é",
    "1 B",
    `1${"_".repeat(89)}`,
    `1${"_".repeat(100_000)}`,
    "link=abc",
    "<script>",
  ])("%.20s is no position", (text) => expect(unpackPosition(text)).toBeNull());

  test("without anything after the version is the empty board", () => {
    expect(unpackPosition("1")?.position).toMatchObject({ cells: EMPTY_BOARD, hands: ["", ""], bag: 72 });
  });

  test("has one form for each position", () => {
    const packed = packPosition({ position: positions[0]!, layout: "sides" });
    expect(unpackPosition(`1A${packed.slice(1)}`)).toBeNull();
    expect(unpackPosition(` ${packed}`)).toBeNull();
  });
});

describe("the shape of a board", () => {
  test("tiles that no chain joins to a stone are named, and stones without a tile", () => {
    const cells = boardOf("e5=4 e4+1 c5+9 a1+2 a2+3");
    expect(looseTiles(cells, LAYOUT_STONES.sides)).toEqual([squareOf("a1"), squareOf("a2")]);
    expect(bareStones(cells, LAYOUT_STONES.sides)).toEqual(["e3", "g5", "e7"].map(squareOf));
    expect(looseTiles(cells, [squareOf("a1")!])).toEqual(["e4", "c5", "e5"].map(squareOf));
  });

  test("every board of a game hangs together in its own layout", () => {
    for (const { cells } of positions) {
      const stones = LAYOUT_STONES[likelyLayout(cells)];
      expect(looseTiles(cells, stones)).toEqual([]);
      expect(bareStones(cells, stones)).toEqual([]);
    }
  });
});

describe("playing on", () => {
  const start = readPosition(
    "........./........./....6..../........./..9.D.7../........./....4..../........./......... 0 27,35 0,0 63 standard",
  ).position!;

  test("places the tile, scores, draws an unknown tile and passes the turn", () => {
    const next = afterMove(start, parseMove("d5+2")!);
    expect(writePosition(next)).toBe(
      "........./........./....6..../........./..92D.7../........./....4..../........./......... 1 7?,35 0,0 62 standard",
    );
    expect(faultsOf(next)).toEqual([]);
  });

  test("an unknown tile is drawn from those that are left", () => {
    const last: StudyPosition = { ...start, hands: ["??", "35"], toMove: 0 };
    const drawn = drawUnknown({ ...last, bag: bagOf(last) }, () => 0.999);
    expect(drawn.hands[0]).toBe("99");
    expect(faultsOf(drawn)).toEqual([]);
  });

  test("a deal is possible in every layout and for every number of seats", () => {
    for (const layout of Object.keys(LAYOUT_STONES) as LayoutName[]) {
      for (const seats of [2, 3, 4]) expect(faultsOf(dealt(layout, seats, "expert", generator(seats)))).toEqual([]);
    }
  });
});
