/** Ids of commands are unique for a person at a table, whichever page made them. */

import { expect, test, vi } from "vitest";

/** Ids as a page makes them that has just been loaded. */
const idsOfNewPage = async (count: number): Promise<string[]> => {
  vi.resetModules();
  const { newId } = await import("../src/lib/ids");
  return Array.from({ length: count }, newId);
};

test("ids differ after a reload and between the devices of a person", async () => {
  const ids = [...(await idsOfNewPage(200)), ...(await idsOfNewPage(200))];
  expect(new Set(ids).size).toBe(400);
});

test("ids have the form that the server accepts", async () => {
  for (const id of await idsOfNewPage(200)) expect(id).toMatch(/^[A-Za-z0-9_:.-]{1,64}$/);
});
