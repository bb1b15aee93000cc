/** The connection to a table: it comes back by itself, loses no command, and carries out none twice. */

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { CLOSE_CODES } from "../src/protocol/limits";
import { Connection, type ConnectionState } from "../src/table/connection";
import { FakeSocket, fakeBrowser, realBrowser } from "./fakes";

let browser: ReturnType<typeof fakeBrowser>;
let states: ConnectionState[];
let heard: string[];
let known: { since?: number; seat?: number };

beforeEach(() => {
  browser = fakeBrowser();
  states = [];
  heard = [];
  known = {};
});
afterEach(realBrowser);

const connect = (): Connection =>
  new Connection("wss://stones.example/socket", {
    onmessage: ({ type }) => heard.push(type),
    onstate: (state) => states.push(state),
    known: () => known,
  });

/** A connection that has been welcomed. */
function connected(): Connection {
  const connection = connect();
  FakeSocket.last.open();
  FakeSocket.last.welcome();
  return connection;
}

const SAY = { type: "say", text: "Hello" } as const;

describe("coming", () => {
  test("it says hello with what is known already", () => {
    known = { since: 7, seat: 1 };
    connect();
    expect(FakeSocket.last.url).toBe("wss://stones.example/socket");
    expect(FakeSocket.last.sent).toEqual([]);
    FakeSocket.last.open();
    expect(FakeSocket.last.sent).toEqual([{ type: "hello", protocol: 1, since: 7, seat: 1 }]);
  });

  test("it is open once the table has answered, and not before", () => {
    connect();
    FakeSocket.last.open();
    expect(states).toEqual(["connecting"]);
    FakeSocket.last.welcome();
    expect(states).toEqual(["connecting", "open"]);
    expect(heard).toEqual(["welcome"]);
  });

  test("a server that never answers is given up and tried again", () => {
    connect();
    vi.advanceTimersByTime(4_999);
    expect(FakeSocket.all).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(states.at(-1)).toBe("lost");
    expect(FakeSocket.last.readyState).toBe(3);
    vi.advanceTimersByTime(300);
    expect(FakeSocket.all).toHaveLength(2);
  });
});

describe("coming back", () => {
  test("waits double from 0.3 to 8 seconds, and begin anew after a welcome", () => {
    connected();
    for (const wait of [300, 600, 1200, 2400, 4800, 8000, 8000]) {
      FakeSocket.last.drop();
      const tries = FakeSocket.all.length;
      vi.advanceTimersByTime(wait - 1);
      expect(FakeSocket.all, `${wait}`).toHaveLength(tries);
      vi.advanceTimersByTime(1);
      expect(FakeSocket.all, `${wait}`).toHaveLength(tries + 1);
    }
    FakeSocket.last.open();
    FakeSocket.last.welcome(true);
    FakeSocket.last.drop();
    vi.advanceTimersByTime(300);
    expect(FakeSocket.last.readyState).toBe(0);
  });

  test("the visitor is told once that it is lost, and not of each try", () => {
    connected();
    for (let tries = 0; tries < 3; tries += 1) {
      FakeSocket.last.drop();
      vi.advanceTimersByTime(10_000);
    }
    expect(new Set(states.slice(2))).toEqual(new Set(["lost"]));
    FakeSocket.last.open();
    FakeSocket.last.welcome(true);
    expect(states.at(-1)).toBe("open");
  });

  test("it asks for what it missed", () => {
    connected();
    FakeSocket.last.drop();
    known = { since: 12 };
    vi.advanceTimersByTime(300);
    FakeSocket.last.open();
    expect(FakeSocket.last.of("hello")).toEqual([{ type: "hello", protocol: 1, since: 12 }]);
  });

  test.each(["unknown_protocol", "not_signed_in", "no_such_table"] as const)("%s is final", (reason) => {
    connected();
    FakeSocket.last.drop(CLOSE_CODES[reason]);
    expect(states.at(-1)).toBe("ended");
    browser.window.dispatchEvent(new Event("online"));
    browser.window.dispatchEvent(new Event("offline"));
    vi.advanceTimersByTime(60_000);
    expect(FakeSocket.all).toHaveLength(1);
    expect(states.at(-1)).toBe("ended");
  });

  test.each(["too_slow", "too_many_requests", "try_again"] as const)("%s is not", (reason) => {
    connected();
    FakeSocket.last.drop(CLOSE_CODES[reason]);
    vi.advanceTimersByTime(300);
    expect(FakeSocket.all).toHaveLength(2);
  });

  test("somebody who has just got a name comes again at once", () => {
    const connection = connected();
    const [first] = FakeSocket.all;
    connection.reconnect();
    expect(FakeSocket.all).toHaveLength(2);
    first!.drop();
    vi.advanceTimersByTime(1_000);
    expect(FakeSocket.all, "the old socket is no longer listened to").toHaveLength(2);
    expect(states).not.toContain("lost");
  });
});

describe("commands", () => {
  test("one that was not acknowledged goes again over the next socket, with its id", () => {
    const connection = connected();
    const id = connection.do(SAY);
    expect(FakeSocket.last.of("do")).toEqual([{ type: "do", id, command: SAY }]);
    FakeSocket.last.drop();
    vi.advanceTimersByTime(300);
    FakeSocket.last.open();
    expect(FakeSocket.last.of("do"), "not before the welcome").toEqual([]);
    FakeSocket.last.welcome(true);
    expect(FakeSocket.last.of("do")).toEqual([{ type: "do", id, command: SAY }]);
    expect(connection.waiting).toBe(true);
    FakeSocket.last.say({ type: "ack", id, seq: 3 });
    expect(connection.waiting).toBe(false);
  });

  test("those given while it is down go in their order once it is back", () => {
    const connection = connected();
    FakeSocket.last.drop();
    const ids = ["first", "second"].map((text) => connection.do({ type: "say", text }));
    expect(new Set(ids).size).toBe(2);
    vi.advanceTimersByTime(300);
    FakeSocket.last.open();
    FakeSocket.last.welcome(true);
    expect(FakeSocket.last.of("do").map(({ id }) => id)).toEqual(ids);
  });

  test.each([
    ["acknowledged", (id: string) => ({ type: "ack", id, seq: 3 }) as const],
    ["refused", (id: string) => ({ type: "refused", id, error: { code: "not_your_turn", params: {}, text: "" } }) as const],
  ])("one that was %s is not sent again", (_, answer) => {
    const connection = connected();
    FakeSocket.last.say(answer(connection.do(SAY)));
    FakeSocket.last.drop();
    vi.advanceTimersByTime(300);
    FakeSocket.last.open();
    FakeSocket.last.welcome(true);
    expect(FakeSocket.last.of("do")).toEqual([]);
  });

  test("what is of use only now is lost while it is down", () => {
    const connection = connected();
    expect(connection.send({ type: "ping" })).toBe(true);
    FakeSocket.last.drop();
    expect(connection.send({ type: "ping" })).toBe(false);
    vi.advanceTimersByTime(300);
    FakeSocket.last.open();
    FakeSocket.last.welcome(true);
    expect(FakeSocket.last.of("ping")).toEqual([]);
  });
});

describe("silence", () => {
  test("a command that nobody answers goes over a second socket", () => {
    const connection = connected();
    const id = connection.do(SAY);
    const [first] = FakeSocket.all;
    vi.advanceTimersByTime(2_500);
    expect(states.at(-1)).toBe("lost");
    vi.advanceTimersByTime(300);
    expect(FakeSocket.all).toHaveLength(2);
    FakeSocket.last.open();
    FakeSocket.last.welcome(true);
    expect(FakeSocket.last.of("do").map((sent) => sent.id)).toEqual([id]);
    heard = [];
    first!.say({ type: "pong", server_ms: 0 });
    expect(heard, "a socket that was given up is not heard any more").toEqual([]);
  });

  test("every 15 seconds it asks whether the other end lives, and gives up on none", () => {
    connected();
    vi.advanceTimersByTime(15_000);
    expect(FakeSocket.last.of("ping")).toHaveLength(1);
    FakeSocket.last.say({ type: "pong", server_ms: 0 });
    vi.advanceTimersByTime(14_999);
    expect(states.at(-1)).toBe("open");
    vi.advanceTimersByTime(1);
    expect(FakeSocket.last.of("ping")).toHaveLength(2);
    vi.advanceTimersByTime(2_500);
    expect(states.at(-1)).toBe("lost");
  });

  test("a slow network gets more time after each silence, up to 20 seconds, until it answers in time", () => {
    const connection = connected();
    for (const patience of [2_500, 5_000, 10_000, 20_000, 20_000]) {
      const id = connection.do(SAY);
      vi.advanceTimersByTime(patience - 1);
      expect(states.at(-1), `${patience}`).toBe("open");
      vi.advanceTimersByTime(1);
      expect(states.at(-1), `${patience}`).toBe("lost");
      vi.advanceTimersByTime(300);
      FakeSocket.last.open();
      FakeSocket.last.welcome(true);
      // An answer to a command that was repeated: it is late, but it comes.
      FakeSocket.last.say({ type: "refused", id, error: { code: "too_fast", params: {}, text: "" } });
    }
    FakeSocket.last.say({ type: "ack", id: connection.do(SAY), seq: 9 });
    connection.do(SAY);
    vi.advanceTimersByTime(2_500);
    expect(states.at(-1)).toBe("lost");
  });

  test("what comes shows that it lives, while the answer is on its way", () => {
    const connection = connected();
    connection.do(SAY);
    for (let times = 0; times < 4; times += 1) {
      vi.advanceTimersByTime(2_000);
      FakeSocket.last.say({ type: "presence", seats: [true, true], absent: [], spectators: 0 });
    }
    expect(states.at(-1)).toBe("open");
  });
});

describe("the network and the reader", () => {
  test("without a network the connection is lost at once, and back at once with it", () => {
    connected();
    browser.window.dispatchEvent(new Event("offline"));
    expect(states.at(-1)).toBe("lost");
    vi.advanceTimersByTime(299);
    browser.window.dispatchEvent(new Event("online"));
    expect(FakeSocket.all).toHaveLength(2);
    vi.advanceTimersByTime(5_000 - 1);
    expect(FakeSocket.all, "the wait is over, too").toHaveLength(2);
  });

  test("a try that hangs is given up when the network is back", () => {
    connected();
    FakeSocket.last.drop();
    vi.advanceTimersByTime(300);
    expect(FakeSocket.all).toHaveLength(2);
    browser.window.dispatchEvent(new Event("online"));
    expect(FakeSocket.all).toHaveLength(3);
    expect(FakeSocket.all[1]!.readyState).toBe(3);
  });

  test("a reader who comes back to the page does not wait", () => {
    connected();
    FakeSocket.last.drop();
    browser.document.hidden = true;
    browser.document.dispatchEvent(new Event("visibilitychange"));
    expect(FakeSocket.all).toHaveLength(1);
    browser.document.hidden = false;
    browser.document.dispatchEvent(new Event("visibilitychange"));
    expect(FakeSocket.all).toHaveLength(2);
  });

  test("a connection that is fine is left alone", () => {
    connected();
    browser.window.dispatchEvent(new Event("online"));
    browser.document.dispatchEvent(new Event("visibilitychange"));
    expect(FakeSocket.all).toHaveLength(1);
    expect(FakeSocket.last.readyState).toBe(FakeSocket.OPEN);
  });

  test("a page that is left opens nothing more", () => {
    connected().close();
    expect(FakeSocket.last.readyState).toBe(3);
    for (const type of ["offline", "online"]) browser.window.dispatchEvent(new Event(type));
    vi.advanceTimersByTime(60_000);
    expect(FakeSocket.all).toHaveLength(1);
    expect(states.at(-1)).toBe("open");
  });
});
