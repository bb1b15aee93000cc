import { expect, test } from "vitest";
import { initialsOf } from "../src/lib/players";
import type { Chair } from "../src/protocol/messages";

const chair = (name: string, bot: string | null = null): Chair => ({
  name,
  bot,
  colour: "teal",
  person: bot ? null : name,
  program: false,
  owner: null,
  resigned: false,
});

test("no two at a table have the same initial", () => {
  expect(initialsOf([chair("ann"), chair("", "brook"), chair("", "brook"), chair("Bert")])).toEqual(["A", "B", "B2", "B3"]);
});

test("an empty seat has none", () => {
  expect(initialsOf([chair("Ann"), { ...chair(""), colour: "" }, { ...chair(""), colour: "" }])).toEqual(["A", "", ""]);
});
