/** The Kakuros of a move, lit on the board, each with its sum. */

import type { Light } from "../board/state";
import type { Series } from "../rules/series";
import { writeSum } from "./words";

export const lightsOfKakuros = (kakuros: readonly Series[]): Light[] =>
  kakuros.map((series) => ({ squares: series.squares, text: writeSum(series), tone: "made" }));
