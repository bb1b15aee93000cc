/** Links between pages, on a server and on a static host. */

import { beforeEach, describe, expect, it, vi } from "vitest";

type Links = typeof import("../src/lib/links");

async function linksOf(serverless: boolean, url: string): Promise<Links> {
  vi.resetModules();
  vi.doMock("../src/lib/hosting", () => ({ SERVERLESS: serverless }));
  vi.stubGlobal("location", new URL(url));
  return import("../src/lib/links");
}

/** What a click on a link finds: a browser completes its URL by that of the page. */
const link = (href: string) => new URL(href, location.href) as unknown as HTMLAnchorElement;

const PLACES = ["/", "/rules", "/rules#scoring", "/replay/abc?turn=3&review", "/study#1Ab-_9", "/t/local-abc"];

describe("on a server", () => {
  let links: Links;
  beforeEach(async () => (links = await linksOf(false, "https://stones.example/rules")));

  it("a place is its own URL", () => {
    for (const place of PLACES) expect(links.to(place)).toBe(place);
    expect(links.linkTo("http://192.168.1.2:8765", "/study#1A")).toBe("http://192.168.1.2:8765/study#1A");
  });

  it("a URL is its own place", () => {
    const { path, query, fragment } = links.placeOf(new URL("https://stones.example/replay/abc?turn=3#x"));
    expect([path, query.get("turn"), fragment]).toEqual(["/replay/abc", "3", "x"]);
  });

  it("files of the API, sections of the page and other sites are left to the browser", () => {
    expect(links.placeBehind(link("/learn/2"))).toBe("/learn/2");
    for (const href of ["/api/v1/tables/abc/record", "#scoring", "https://elsewhere.example/rules"])
      expect(links.placeBehind(link(href))).toBeNull();
  });
});

describe("on a static host", () => {
  let links: Links;
  beforeEach(async () => (links = await linksOf(true, "https://pages.example/games/river/index.html#/rules")));

  it("a place is in the fragment of the one page", () => {
    expect(links.to("/replay/abc?turn=3")).toBe("#/replay/abc?turn=3");
    expect(links.to("/rules#scoring")).toBe("#/rules?at=scoring");
    expect(links.to("/replay/abc?turn=3#x")).toBe("#/replay/abc?turn=3&at=x");
    expect(links.linkTo(location.origin, "/study#1A")).toBe("https://pages.example/games/river/index.html#/study?at=1A");
  });

  it("every place is found again", () => {
    for (const place of PLACES) {
      const { path, query, fragment } = links.placeOf(link(links.to(place)));
      const asked = String(query).replace("review=", "review");
      expect(`${path}${asked && `?${asked}`}${fragment && `#${fragment}`}`).toBe(place);
      expect(links.to(links.placeBehind(link(links.to(place)))!)).toBe(links.to(place));
    }
  });

  it("a URL that names no place is the home page", () => {
    for (const href of ["#", "#scoring", "?from=elsewhere", "#?at=x"]) expect(links.placeOf(link(href)).path).toBe("/");
    expect(links.placeOf(link("#//["))).toMatchObject({ path: "//[" });
  });

  it("files and other sites are left to the browser", () => {
    for (const href of ["licences.txt", "../", "https://elsewhere.example/#/rules", "#scoring"])
      expect(links.placeBehind(link(href))).toBeNull();
  });
});
