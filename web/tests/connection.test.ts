/** The connection to a table reconnects by itself, loses no command and executes none twice. */

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { CLOSE_CODES } from "../src/protocol/limits";
import { Connection, type ConnectionState } from "../src/play/connection";
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

describe("connecting", () => {
  test("hello contains the last known event and the seat", () => {
    known = { since: 7, seat: 1 };
    connect();
    expect(FakeSocket.last.url).toBe("wss://stones.example/socket");
    expect(FakeSocket.last.sent).toEqual([]);
    FakeSocket.last.open();
    expect(FakeSocket.last.sent).toEqual([{ type: "hello", protocol: 1, since: 7, seat: 1 }]);
  });

  test("it is open only after the table has answered", () => {
    connect();
    FakeSocket.last.open();
    expect(states).toEqual(["connecting"]);
    FakeSocket.last.welcome();
    expect(states).toEqual(["connecting", "open"]);
    expect(heard).toEqual(["welcome"]);
  });

  test("a server that never answers is abandoned and tried again", () => {
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

describe("reconnecting", () => {
  test("the wait doubles from 0.3 to 8 seconds and is reset by a welcome", () => {
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

  test("a lost connection is reported once, not for every attempt", () => {
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

  test("it requests the events that it missed", () => {
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

  test("a visitor who has just been given a name reconnects at once", () => {
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
  test("an unacknowledged command is resent over the next socket with the same id", () => {
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

  test("commands given while disconnected are sent in order after the reconnection", () => {
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

  test("messages that are useful only now are not queued while disconnected", () => {
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

describe("timeouts", () => {
  test("an unanswered command is resent over a second socket", () => {
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

  test("it sends a ping every 15 seconds and abandons a socket without an answer", () => {
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

  test("the timeout grows up to 20 seconds until an answer arrives in time", () => {
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
      // The late answer to a command that was resent.
      FakeSocket.last.say({ type: "refused", id, error: { code: "too_fast", params: {}, text: "" } });
    }
    FakeSocket.last.say({ type: "ack", id: connection.do(SAY), seq: 9 });
    connection.do(SAY);
    vi.advanceTimersByTime(2_500);
    expect(states.at(-1)).toBe("lost");
  });

  test("any message shows that the socket is alive while an answer is pending", () => {
    const connection = connected();
    connection.do(SAY);
    for (let times = 0; times < 4; times += 1) {
      vi.advanceTimersByTime(2_000);
      FakeSocket.last.say({ type: "presence", seats: [true, true], absent: [], spectators: 0 });
    }
    expect(states.at(-1)).toBe("open");
  });
});

describe("the network and the tab", () => {
  test("the connection is lost as soon as the network is, and reconnects as soon as it is back", () => {
    connected();
    browser.window.dispatchEvent(new Event("offline"));
    expect(states.at(-1)).toBe("lost");
    vi.advanceTimersByTime(299);
    browser.window.dispatchEvent(new Event("online"));
    expect(FakeSocket.all).toHaveLength(2);
    vi.advanceTimersByTime(5_000 - 1);
    expect(FakeSocket.all, "the wait is over, too").toHaveLength(2);
  });

  test("a hanging attempt is abandoned when the network is back", () => {
    connected();
    FakeSocket.last.drop();
    vi.advanceTimersByTime(300);
    expect(FakeSocket.all).toHaveLength(2);
    browser.window.dispatchEvent(new Event("online"));
    expect(FakeSocket.all).toHaveLength(3);
    expect(FakeSocket.all[1]!.readyState).toBe(3);
  });

  test("a tab that becomes visible reconnects without waiting", () => {
    connected();
    FakeSocket.last.drop();
    browser.document.hidden = true;
    browser.document.dispatchEvent(new Event("visibilitychange"));
    expect(FakeSocket.all).toHaveLength(1);
    browser.document.hidden = false;
    browser.document.dispatchEvent(new Event("visibilitychange"));
    expect(FakeSocket.all).toHaveLength(2);
  });

  test("a working connection is not replaced", () => {
    connected();
    browser.window.dispatchEvent(new Event("online"));
    browser.document.dispatchEvent(new Event("visibilitychange"));
    expect(FakeSocket.all).toHaveLength(1);
    expect(FakeSocket.last.readyState).toBe(FakeSocket.OPEN);
  });

  test("a closed page opens no more sockets", () => {
    connected().close();
    expect(FakeSocket.last.readyState).toBe(3);
    for (const type of ["offline", "online"]) browser.window.dispatchEvent(new Event(type));
    vi.advanceTimersByTime(60_000);
    expect(FakeSocket.all).toHaveLength(1);
    expect(states.at(-1)).toBe("open");
  });
});
