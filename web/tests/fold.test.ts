/** The browser folds every event into the same snapshot as Python, for every kind of viewer. */

import { describe, expect, test } from "vitest";
import { server } from "../../docs/protocol.schema.json";
import type { EventMessage, Snapshot, TableEvent } from "../src/protocol/messages";
import { fold } from "../src/play/fold";
import { casesOf } from "./cases";

interface Case {
  event: TableEvent["type"];
  viewer: string;
  before: Snapshot;
  message: EventMessage;
  after: Snapshot;
}

const cases = casesOf<Case>("fold");
/** `created` is the first event of a table, so it is never folded into a snapshot. */
const events = Object.keys(server.$defs.EventMessage.properties.event.discriminator.mapping).filter((type) => type !== "created");
const VIEWERS = [
  "spectator",
  "one seat, looking",
  "one seat, looking away",
  "several seats, looking",
  "several seats, looking away",
];

describe.each(events)("%s", (event) => {
  test.each(VIEWERS)("as it is told to: %s", (viewer) => {
    const found = cases.filter((each) => each.event === event && each.viewer === viewer);
    expect(found).not.toEqual([]);
    for (const { before, message, after } of found) expect(fold(before, message)).toEqual(after);
  });
});

test("an unknown event of a newer server changes nothing but the sequence number and `now`", () => {
  const { before, message } = cases[0]!;
  const event = { type: "never_heard_of" } as unknown as TableEvent;
  expect(fold(before, { ...message, event }).chairs).toEqual(before.chairs);
});

test("the hand of a seat that the viewer no longer looks from is not shown", () => {
  const { before, message } = cases.find(
    ({ viewer, message }) => viewer === "several seats, looking away" && message.now.position,
  )!;
  expect(before.you.seat).toBeNull();
  expect(fold(before, { ...message, hand: [1, 2] }).you.hand).toBeNull();
});

test("folding does not modify the snapshot before", () => {
  for (const { before, message } of cases) {
    const copy = structuredClone(before);
    fold(before, message);
    expect(before).toEqual(copy);
  }
});
