/**
 * Which level to offer after a game against bots: the next after a win, an easier one after two clear losses in a row or a
 * game that was given up against a single bot. After two clear wins in a row the next level also becomes the one that the
 * home page proposes.
 */

import type { Snapshot } from "../protocol/messages";
import { keep, kept } from "./storage";
import { ALL_LEVELS } from "./players";

export type Outcome = "clear win" | "rout" | "close";

interface PlayedGame {
  table: string;
  endedMs: number;
  level: string;
  outcome: Outcome;
  /** Absent in games that an older version has stored. */
  won?: boolean;
  /** Given up against a single bot, and not in the lead. */
  resigned?: boolean;
}

export interface LevelOffer {
  /** The level that was played. */
  level: string;
  offered: string;
  harder: boolean;
  /** After a single win: the next level is waiting, and nothing more is said. */
  waiting?: boolean;
}

/**
 * A quarter more than the best opponent is beyond what the draw of the tiles usually decides, and two such wins in a row are
 * rarely luck. A clear loss needs half as many points again, so that nobody is offered an easier level after a close game.
 * Early in a game, after a resignation, ratios mean little, so a minimum difference is required too.
 */
const CLEAR_WIN_RATIO = 1.25;
const ROUT_RATIO = 1.5;
const LEAST_MARGIN = 15;
const GAMES_IN_A_ROW = 2;

export function outcomeOf(mine: number, best: number, won: boolean): Outcome {
  const [more, less] = won ? [mine, best] : [best, mine];
  const clear = more - less >= LEAST_MARGIN && more >= less * (won ? CLEAR_WIN_RATIO : ROUT_RATIO);
  return clear ? (won ? "clear win" : "rout") : "close";
}

/** The level next to the one played, if the last games call for it and there is one. Levels are in order, weakest first. */
export function nextLevel(games: readonly Pick<PlayedGame, "level" | "outcome">[], levels: readonly string[]): LevelOffer | null {
  const last = games.slice(-GAMES_IN_A_ROW);
  const { level, outcome } = last.at(-1) ?? { level: "", outcome: "close" };
  const alike = last.length === GAMES_IN_A_ROW && last.every((game) => game.level === level && game.outcome === outcome);
  if (!alike || outcome === "close" || !levels.includes(level)) return null;
  const harder = outcome === "clear win";
  const offered = levels[levels.indexOf(level) + (harder ? 1 : -1)];
  return offered ? { level, offered, harder } : null;
}

/** After a single game: the next level if it was won, an easier one if it was given up. */
function singleOffer(games: readonly PlayedGame[], levels: readonly string[]): LevelOffer | null {
  const { level, won, resigned } = games.at(-1)!;
  const easier = resigned ? levels[levels.indexOf(level) - 1] : undefined;
  if (easier) return { level, offered: easier, harder: false };
  const offered = won && levels.includes(level) ? levels[levels.indexOf(level) + 1] : undefined;
  return offered ? { level, offered, harder: true, waiting: true } : null;
}

/** The level of all opponents if one person plays against bots of a single level; otherwise null. */
function levelPlayed({ chairs, you }: Snapshot): string | null {
  if (you.seats.length !== 1) return null;
  const levels = new Set(chairs.filter((_, seat) => seat !== you.seats[0]).map(({ bot }) => bot));
  const [level] = levels;
  return levels.size === 1 ? (level ?? null) : null;
}

/**
 * Remember a finished game on this device, and say which level to offer after it. An offer becomes the level that the first
 * page proposes. A game that is looked at again gets the same answer as long as no other has ended since.
 */
export function offerAfter(table: Snapshot): LevelOffer | null {
  const level = levelPlayed(table);
  const { result } = table;
  if (level === null || !result) return null;
  const games = JSON.parse(kept("games") ?? "[]") as PlayedGame[];
  const offered = kept("levels")?.split(" ") ?? ALL_LEVELS;
  const levels = ALL_LEVELS.filter((each) => offered.includes(each));
  const latest = games.at(-1);
  if (latest?.table === table.table) return nextLevel(games, levels) ?? singleOffer(games, levels);
  if (latest && latest.endedMs >= result.ended_ms) return null;
  const seat = table.you.seats[0]!;
  const best = Math.max(...result.scores.filter((_, other) => other !== seat));
  const won = result.winners.includes(seat);
  const outcome = outcomeOf(result.scores[seat]!, best, won);
  const resigned = table.chairs.length === 2 && table.chairs[seat]!.resigned && result.scores[seat]! <= best;
  const game = { table: table.table, endedMs: result.ended_ms, level, outcome, won, resigned };
  const now = [...games, game].slice(-GAMES_IN_A_ROW);
  keep("games", JSON.stringify(now));
  const offer = nextLevel(now, levels);
  if (offer) keep("level", offer.offered);
  return offer ?? singleOffer(now, levels);
}
