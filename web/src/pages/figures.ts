/** The worked figures of the rules: positions and the moves to look at. */

export interface Figure {
  tiles: string;
  moves: string[];
  columns: number;
  rows: number;
}

const FIGURE_7 = "a3=1 b3+8 c3+2 d3+1 e3+4 f3+5 g3+2 e4+3 e5+1";

export const FIGURES = {
  end: { tiles: "a1=8 b1+3", moves: ["c1+5"], columns: 5, rows: 1 },
  middle: { tiles: "a1=8 c1+5", moves: ["b1+3"], columns: 5, rows: 1 },
  front: { tiles: "b1+3 c1+5", moves: ["a1=8"], columns: 5, rows: 1 },
  behind: { tiles: "a1+7 b1+1", moves: ["c1=8"], columns: 5, rows: 1 },
  two: {
    tiles: "a2=9 b2+8 c2+3 c4=3 c5+9 d4=5 e4+2 e5=6 f5+7 f6+1 g6+5 h6+8",
    moves: ["c6+4", "e6=4", "d2+8", "f4+6", "f7=8"],
    columns: 9,
    rows: 7,
  },
  three: {
    tiles: "g1=9 f2+6 g2+3 h2+9 e3+6 g3+9 d4=5 e4+2 f4+6 e5=6 f5+7 f6+1 g6+5 h6+8 e7+4 f7=8",
    moves: ["e2=8", "e6=4", "g4+7"],
    columns: 9,
    rows: 7,
  },
  four: { tiles: "a1+2 b1+6 c1+4", moves: ["d1+2~a1"], columns: 6, rows: 1 },
  five: { tiles: "a1=3 b1+9 c1+3 d1=2 e1+5 f1+1 g1+6", moves: ["h1+7~d1"], columns: 9, rows: 1 },
  six: { tiles: "a1=2 c1+1 d1+6 e1+5", moves: ["b1+5~e1"], columns: 6, rows: 1 },
  seven: { tiles: FIGURE_7, moves: ["h3+7~e3"], columns: 9, rows: 5 },
  eight: { tiles: `${FIGURE_7} h1=9 h2+2`, moves: ["h3+7~e3"], columns: 9, rows: 5 },
} satisfies Record<string, Figure>;
