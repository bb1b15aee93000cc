/** Progress and tries reach the server from several devices, at once and after having been offline. */

import { beforeEach, expect, test } from "vitest";
import { forget, keep, kept } from "../../src/lib/storage";
import { merge, NOTHING, write, type Progress } from "../../src/study/progress";
import { enqueue, keptRating, rateHere, synchronize, type StudyServer } from "../../src/study/sync";

/** A server with one document, and a rating that counts first tries. */
class Server implements StudyServer {
  version = 0;
  data: unknown = null;
  tries: [string, boolean][] = [];
  isKnown = true;
  down = false;
  /** Done just before a document is written, as by another device. */
  meanwhile = (): void => {};

  private reach(): void {
    if (this.down) throw new Error("offline");
  }
  known = async (): Promise<boolean> => {
    this.reach();
    return this.isKnown;
  };
  progress = async () => ({ version: this.version, data: this.data });
  keepProgress = async (version: number, data: unknown) => {
    this.meanwhile();
    const kept = version === this.version;
    if (kept) [this.version, this.data] = [version + 1, JSON.parse(JSON.stringify(data))];
    return { ...(await this.progress()), kept };
  };
  attempt = async (puzzle: string, solved: boolean) => {
    this.reach();
    if (puzzle === "unknown") return null;
    this.tries.push([puzzle, solved]);
    return { rating: { value: 1500 + this.tries.length, spread: 100 } };
  };
}

class Device {
  constructor(public progress: Progress) {}
  adopt(other: Progress): boolean {
    this.progress = merge(this.progress, other);
    return true;
  }
}

const knowing = (...ids: string[]): Device =>
  new Device({ ...NOTHING, tried: Object.fromEntries(ids.map((id) => [id, { on: "2026-11-16", right: true, solved: true }])) });
const ids = ({ progress }: Device): string[] => Object.keys(progress.tried);

beforeEach(() => ["study.queue", "study.rating", "study.skill"].forEach((key) => forget(key)));

test("two devices end up with the same, whoever begins", async () => {
  const server = new Server();
  const [phone, desk] = [knowing("a", "b"), knowing("b", "c")];
  await synchronize(server, phone);
  await synchronize(server, desk);
  await synchronize(server, phone);
  expect([ids(phone), ids(desk)]).toEqual([
    ["a", "b", "c"],
    ["a", "b", "c"],
  ]);
  const { version } = server;
  await synchronize(server, desk);
  expect(server.version).toBe(version); // nothing new is not written
});

test("if another device writes in between, nothing of it is lost", async () => {
  const server = new Server();
  let raced = false;
  server.meanwhile = () => {
    if (!raced) [raced, server.version, server.data] = [true, server.version + 1, write(knowing("x").progress)];
  };
  const phone = knowing("a");
  await synchronize(server, phone);
  expect(ids(phone)).toEqual(["a", "x"]);
  expect(server.data).toEqual(write(phone.progress));
});

test("the progress that a newer version of the page has written is left alone", async () => {
  const server = new Server();
  [server.version, server.data] = [7, { version: 99 }];
  await synchronize(server, knowing("a"));
  expect([server.version, server.data]).toEqual([7, { version: 99 }]);
});

test("tries wait while the server cannot be reached, and are then sent once, in order", async () => {
  const server = new Server();
  server.down = true;
  enqueue("a", true);
  enqueue("b", false);
  await expect(synchronize(server, knowing())).rejects.toThrow("offline");
  server.down = false;
  expect(await synchronize(server, knowing())).toEqual({ value: 1502, spread: 100 });
  await synchronize(server, knowing());
  expect(server.tries).toEqual([
    ["a", true],
    ["b", false],
  ]);
  expect(keptRating()).toEqual({ value: 1502, spread: 100 });
});

test("a puzzle that the server does not have does not keep later tries waiting", async () => {
  const server = new Server();
  enqueue("unknown", true);
  enqueue("b", false);
  expect(await synchronize(server, knowing())).toEqual({ value: 1501, spread: 100 });
  expect(server.tries).toEqual([["b", false]]);
  expect(kept("study.queue")).toBe("[]");
});

test("nothing is sent for somebody whom the server does not know", async () => {
  const server = new Server();
  server.isKnown = false;
  enqueue("a", true);
  expect(await synchronize(server, knowing("a"))).toBeNull();
  expect([server.tries, server.version]).toEqual([[], 0]);
  expect(kept("study.queue")).not.toBeNull();
});

test("the device rates tries until a server does", async () => {
  expect(keptRating()).toBeNull();
  rateHere(5, true);
  const first = keptRating()!;
  expect(first.value).toBeGreaterThan(1500);
  rateHere(5, false);
  expect(keptRating()!.value).toBeLessThan(first.value);
  enqueue("a", true);
  await synchronize(new Server(), knowing());
  rateHere(5, true);
  expect(keptRating()).toEqual({ value: 1501, spread: 100 });
});

test("an empty rating of the server does not stop that of the device", () => {
  keep("study.rating", "null");
  rateHere(5, true);
  expect(keptRating()!.value).toBeGreaterThan(1500);
});
