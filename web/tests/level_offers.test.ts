import { beforeEach, expect, test } from "vitest";
import { keep, kept } from "../src/lib/storage";
import { nextLevel, offerAfter, outcomeOf } from "../src/lib/level_offers";
import { ALL_LEVELS } from "../src/lib/players";
import type { Chair, Snapshot } from "../src/protocol/messages";

const [easiest, second, third] = ALL_LEVELS as [string, string, string];
const hardest = ALL_LEVELS.at(-1)!;
const won = (level: string) => ({ level, outcome: "clear win" }) as const;
const lost = (level: string) => ({ level, outcome: "rout" }) as const;
const close = (level: string) => ({ level, outcome: "close" }) as const;

test("a clear win is a quarter more, a rout half as much again, and neither is a matter of a few points", () => {
  expect(outcomeOf(250, 200, true)).toBe("clear win");
  expect(outcomeOf(249, 200, true)).toBe("close");
  expect(outcomeOf(200, 300, false)).toBe("rout");
  expect(outcomeOf(200, 299, false)).toBe("close");
  expect(outcomeOf(14, 0, true)).toBe("close");
  expect(outcomeOf(0, 15, false)).toBe("rout");
});

test("resigning in the lead is not a rout", () => {
  expect(outcomeOf(300, 100, false)).toBe("close");
});

test("two in a row at one level call for another", () => {
  expect(nextLevel([won(second), won(second)], ALL_LEVELS)).toEqual({ level: second, offered: third, harder: true });
  expect(nextLevel([lost(second), lost(second)], ALL_LEVELS)).toEqual({ level: second, offered: easiest, harder: false });
});

test.each([
  ["one game", [won(second)]],
  ["games at two levels", [won(easiest), won(second)]],
  ["a win and a rout", [won(second), lost(second)]],
  ["a close game last", [won(second), won(second), close(second)]],
  ["a close game between", [won(second), close(second), won(second)]],
  ["nothing above the hardest", [won(hardest), won(hardest)]],
  ["nothing below the easiest", [lost(easiest), lost(easiest)]],
  ["a level that nobody knows", [won("unheard-of"), won("unheard-of")]],
])("no offer after %s", (_, games) => {
  expect(nextLevel(games, ALL_LEVELS)).toBeNull();
});

const person: Chair = { name: "Ann", bot: null, colour: "teal", person: "ann", program: false, owner: null, resigned: false };
const bot = (level: string): Chair => ({ ...person, name: "", bot: level, person: null });

/** A finished game; Ann has the first seat. */
function finished(table: string, endedMs: number, scores: number[], chairs: Chair[], seats = [0]): Snapshot {
  const most = Math.max(...scores);
  const winners = scores.flatMap((score, seat) => (score === most ? [seat] : []));
  const result = { scores, winners, resigned: [], seed: "", ended_ms: endedMs };
  return { table, chairs, result, you: { person: "ann", seats, seat: 0, hand: null } } as unknown as Snapshot;
}

beforeEach(() => {
  keep("games", "[]");
  keep("level", second);
  keep("levels", ALL_LEVELS.join(" "));
});

test("an offer is made once, is there again after a reload, and is what the first page proposes", () => {
  const chairs = [person, bot(second), bot(second)];
  expect(offerAfter(finished("a", 1, [300, 200, 100], chairs))?.waiting).toBe(true);
  expect(kept("level")).toBe(second);
  const last = finished("b", 2, [300, 200, 100], chairs);
  expect(offerAfter(last)).toEqual({ level: second, offered: third, harder: true });
  expect(kept("level")).toBe(third);
  keep("level", second);
  expect(offerAfter(last)?.offered).toBe(third);
  expect(kept("level")).toBe(second);
});

test("after any win the next level is waiting, and the first page proposes the same as before", () => {
  const close = finished("a", 1, [201, 200], [person, bot(second)]);
  const waiting = { level: second, offered: third, harder: true, waiting: true };
  expect(offerAfter(close)).toEqual(waiting);
  expect(offerAfter(close)).toEqual(waiting);
  expect(kept("level")).toBe(second);
  expect(offerAfter(finished("b", 2, [200, 201], [person, bot(second)]))).toBeNull();
  expect(offerAfter(finished("c", 3, [300, 100], [person, bot(hardest)]))).toBeNull();
});

test("opening an old game again does not count", () => {
  const chairs = [person, bot(second)];
  offerAfter(finished("b", 2, [100, 200], chairs));
  expect(offerAfter(finished("a", 1, [100, 200], chairs))).toBeNull();
  expect(offerAfter(finished("c", 3, [100, 200], chairs))?.offered).toBe(easiest);
});

test("games with other people, with several levels or by pass and play do not count", () => {
  const tables: [Chair[], number[]][] = [
    [[person, { ...person, person: "ben" }], [0]],
    [[person, bot(second), bot(third)], [0]],
    [
      [person, { ...person }, bot(second)],
      [0, 1],
    ],
    [[person, bot(second)], []],
  ];
  tables.forEach(([chairs, seats], n) => {
    expect(offerAfter(finished(`${n}`, n + 1, [300, ...chairs.slice(1).map(() => 100)], chairs, seats))).toBeNull();
  });
  expect(kept("games")).toBe("[]");
});

test("a level that the server does not have is not offered", () => {
  keep("levels", [easiest, second].join(" "));
  const chairs = [person, bot(second)];
  offerAfter(finished("a", 1, [300, 100], chairs));
  expect(offerAfter(finished("b", 2, [300, 100], chairs))).toBeNull();
});

test("an easier level is offered after giving up once, unless in the lead", () => {
  const gaveUp = { ...person, resigned: true };
  const easier = { level: second, offered: easiest, harder: false };
  expect(offerAfter(finished("t1", 1, [0, 20], [gaveUp, bot(second)]))).toEqual(easier);
  expect(offerAfter(finished("t1", 1, [0, 20], [gaveUp, bot(second)])), "looked at again").toEqual(easier);
  expect(kept("level"), "what the first page proposes stays").toBe(second);
  const lead = finished("t2", 2, [30, 20], [gaveUp, bot(second)]);
  expect(offerAfter({ ...lead, result: { ...lead.result!, winners: [1] } })).toBeNull();
  expect(offerAfter(finished("t3", 3, [0, 20], [gaveUp, bot(easiest)])), "nothing is easier").toBeNull();
});
