// The Node half of peer.py: a trivial boardgame.io server, and one client program for both servers.
//
//     node peer.mjs serve PORT                         boardgame.io, in memory
//     node peer.mjs play SERVER URL TABLES MOVES       two sockets per table, every table as fast as it goes
//
// Both servers are played over bare WebSockets, so that neither has the cheaper client.

import { createRequire } from "node:module";
import WebSocket from "ws";

const API = "/api/v1";
const GAME = "trivial";
const PEOPLE = 40;
const COLUMNS = "abcdefghi";

/** A table of two sockets. `move` makes the next move and ends when both sockets know of it. */
class Table {
  constructor() {
    this.sockets = [];
    this.known = [0, 0];
    this.waiting = null;
  }

  told(seat, number) {
    this.known[seat] = number;
    if (this.waiting && Math.min(...this.known) >= this.waiting.number) {
      const { done } = this.waiting;
      this.waiting = null;
      done();
    }
  }

  reach(number) {
    if (Math.min(...this.known) >= number) return Promise.resolve();
    return new Promise((done) => {
      this.waiting = { number, done };
    });
  }
}

class RiverstonesTable extends Table {
  constructor() {
    super();
    this.hands = [null, null];
    this.count = 0;
  }

  async open(url, name, cookies) {
    for (const [seat, cookie] of cookies.entries()) {
      const address = `${url.replace("http", "ws")}${API}/tables/${name}/socket`;
      const socket = new WebSocket(address, { headers: { cookie, origin: url }, perMessageDeflate: false });
      await new Promise((done, fail) => socket.once("open", done).once("error", fail));
      socket.on("message", (data) => this.take(seat, JSON.parse(data)));
      socket.send(JSON.stringify({ type: "hello", protocol: 1 }));
      this.sockets.push(socket);
    }
    await this.reach(1);
  }

  take(seat, message) {
    if (message.type === "refused") throw new Error(JSON.stringify(message.error));
    if (message.type !== "event" && message.type !== "snapshot") return;
    const state = message.type === "snapshot" ? message.snapshot : message;
    this.hands[seat] = message.type === "snapshot" ? state.you.hand : state.hand;
    this.now = state.now;
    this.told(seat, state.seq);
  }

  async move() {
    const { to_move: seat, turn, position } = this.now;
    const squares = frontier(position.split(" ")[0]);
    const digit = this.hands[seat][turn % this.hands[seat].length];
    const move = `${squares[(turn * 7) % squares.length]}${turn % 2 ? "+" : "="}${digit}`;
    const seq = Math.max(...this.known);
    const command = { type: "play", seat, turn, move };
    this.sockets[seat].send(JSON.stringify({ type: "do", id: `m${this.count++}`, command }));
    await this.reach(seq + 1);
  }
}

/** The empty squares next to a tile. */
function frontier(board) {
  const rows = board.split("/");
  const taken = (row, column) => (rows[row]?.[column] ?? ".") !== ".";
  const found = [];
  for (let row = 0; row < 9; row++) {
    for (let column = 0; column < 9; column++) {
      const near = taken(row - 1, column) || taken(row + 1, column) || taken(row, column - 1) || taken(row, column + 1);
      if (near && !taken(row, column)) found.push(`${COLUMNS[column]}${row + 1}`);
    }
  }
  return found;
}

async function post(url, path, body, cookie) {
  const headers = { "content-type": "application/json", origin: url, ...(cookie && { cookie }) };
  const answer = await fetch(url + API + path, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return { data: await answer.json(), cookie: answer.headers.get("set-cookie")?.split(";")[0] };
}

async function riverstonesTables(url, count) {
  const cookies = [];
  for (let number = 0; number < PEOPLE; number++) {
    cookies.push((await post(url, "/me", { name: `Person ${number}` })).cookie);
  }
  return inBatches(count, async (number) => {
    const pair = [cookies[(2 * number) % PEOPLE], cookies[(2 * number + 1) % PEOPLE]];
    const seats = [{ who: "me" }, { who: "open" }];
    const { table: name } = (await post(url, "/tables", { seats }, pair[0])).data;
    await post(url, `/tables/${name}/do`, { id: "sit", command: { type: "sit" } }, pair[1]);
    const table = new RiverstonesTable();
    await table.open(url, name, pair);
    return table;
  });
}

class BoardgameTable extends Table {
  constructor(name) {
    super();
    this.name = name;
    this.stateID = 0;
  }

  async open(url) {
    for (const seat of [0, 1]) {
      const address = `${url.replace("http", "ws")}/socket.io/?EIO=4&transport=websocket`;
      const socket = new WebSocket(address, { headers: { origin: url }, perMessageDeflate: false });
      this.sockets.push(socket);
      socket.on("message", (data) => this.take(seat, String(data)));
      await new Promise((done, fail) => socket.once("open", done).once("error", fail));
      // The first player's sync creates the match, so the second has to wait for it.
      while (this.known[seat] === 0) await new Promise((done) => setTimeout(done, 5));
    }
  }

  /** Engine.io packets: 0 open, 2 ping, 40 connected to the game's namespace, 42 an event. */
  take(seat, packet) {
    if (packet[0] === "0") this.sockets[seat].send(`40/${GAME},`);
    else if (packet[0] === "2") this.sockets[seat].send("3");
    else if (packet.startsWith("40")) this.emit(seat, ["sync", this.name, String(seat), undefined, 2]);
    else if (packet.startsWith("42")) {
      const [kind, , data] = JSON.parse(packet.slice(packet.indexOf(",") + 1));
      const state = kind === "sync" ? data.state : data;
      if (kind !== "sync" && kind !== "update") return;
      this.stateID = state._stateID;
      this.told(seat, this.stateID + 1);
    }
  }

  emit(seat, event) {
    this.sockets[seat].send(`42/${GAME},${JSON.stringify(event)}`);
  }

  async move() {
    const before = this.stateID;
    const seat = before % 2;
    const payload = { type: "play", args: [before], playerID: String(seat) };
    this.emit(seat, ["update", { type: "MAKE_MOVE", payload }, before, this.name, String(seat)]);
    await this.reach(before + 2);
  }
}

async function boardgameTables(url, count) {
  const mark = `${Date.now()}`;
  return inBatches(count, async (number) => {
    const table = new BoardgameTable(`${mark}-${number}`);
    await table.open(url);
    return table;
  });
}

async function inBatches(count, make) {
  const made = [];
  for (let start = 0; start < count; start += 20) {
    const numbers = Array.from({ length: Math.min(20, count - start) }, (_, index) => start + index);
    made.push(...(await Promise.all(numbers.map(make))));
  }
  return made;
}

async function play(server, url, count, each) {
  const tables = await (server === "riverstones" ? riverstonesTables : boardgameTables)(url, count);
  process.stdout.write("ready\n");
  await new Promise((done) => process.stdin.once("data", done));
  const begun = performance.now();
  const before = process.cpuUsage();
  await Promise.all(
    tables.map(async (table) => {
      for (let made = 0; made < each; made++) await table.move();
    }),
  );
  const { user, system } = process.cpuUsage(before);
  const result = { seconds: (performance.now() - begun) / 1000, cpuSeconds: (user + system) / 1e6 };
  process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit());
}

function serve(port) {
  const { Server, Origins } = createRequire(import.meta.url)("boardgame.io/server");
  const game = {
    name: GAME,
    setup: () => ({ last: null }),
    moves: {
      play: ({ G }, value) => {
        G.last = value;
      },
    },
    turn: { minMoves: 1, maxMoves: 1 },
  };
  Server({ games: [game], origins: [Origins.LOCALHOST] }).run(Number(port));
}

const [mode, ...rest] = process.argv.slice(2);
if (mode === "serve") serve(rest[0]);
else await play(rest[0], rest[1], Number(rest[2]), Number(rest[3]));
