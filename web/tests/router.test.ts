// @vitest-environment ./tests/client-environment.ts
/** The router: where pages lead, also when the visitor has gone elsewhere meanwhile. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";

type Router = typeof import("../src/lib/router.svelte").router;

let router: Router;
let events: EventTarget;

beforeEach(async () => {
  vi.resetModules();
  events = new EventTarget();
  const place = new URL("https://stones.example/replay");
  vi.stubGlobal("location", place);
  vi.stubGlobal("history", {
    state: null,
    pushState: (_: unknown, __: string, to: string) => void (place.href = new URL(to, place).href),
    replaceState: () => {},
  });
  vi.stubGlobal("document", events);
  vi.stubGlobal("addEventListener", events.addEventListener.bind(events));
  vi.stubGlobal("requestAnimationFrame", () => 0);
  vi.stubGlobal("scrollTo", () => {});
  vi.stubGlobal("scrollY", 0);
  ({ router } = await import("../src/lib/router.svelte"));
});

afterEach(() => vi.unstubAllGlobals());

test("what was being loaded is shown if the visitor has waited for it", () => {
  const go = router.later();
  go("/t/local-abc");
  expect(router.path).toBe("/t/local-abc");
});

test("a visitor who has gone to another page stays there", () => {
  const go = router.later();
  router.go("/rules");
  go("/t/local-abc");
  expect(router.path).toBe("/rules");
});

test("a visitor who has gone back and forth stays on the page", () => {
  const go = router.later();
  events.dispatchEvent(new Event("popstate"));
  go("/t/local-abc");
  expect(router.path).toBe("/replay");
});
