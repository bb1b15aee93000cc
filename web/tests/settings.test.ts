// @vitest-environment ./tests/client-environment.ts
/** Settings are stored on the device, follow the system without a choice, and are replaced by those of the account. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { fakeBrowser, realBrowser } from "./fakes";

let dataset: Record<string, string>;
/** The system's current preferences, and how to change them. */
let system: Map<string, { matches: boolean; change: (matches: boolean) => void }>;

beforeEach(() => {
  vi.resetModules();
  const { document } = fakeBrowser();
  dataset = {};
  system = new Map();
  Object.assign(document, { documentElement: { dataset, lang: "" }, querySelector: () => null });
  vi.stubGlobal("navigator", { languages: ["fr-CA"] });
  vi.stubGlobal("matchMedia", (query: string) => {
    const media = { matches: false, change: (_: boolean) => {} };
    system.set(/dark|motion/.exec(query)![0], media);
    return {
      matches: false,
      addEventListener: (_: string, told: (event: object) => void) => (media.change = (matches) => told({ matches })),
    };
  });
});
afterEach(realBrowser);

const load = async () => (await import("../src/lib/settings.svelte")).settings;
const stored = () => Object.fromEntries(window.localStorage as unknown as Map<string, string>);

test("without a choice, theme and motion follow the system", async () => {
  const settings = await load();
  expect([settings.theme, settings.calm, settings.locale]).toEqual(["light", false, "fr"]);
  system.get("dark")!.change(true);
  system.get("motion")!.change(true);
  expect(dataset).toMatchObject({ theme: "dark", motion: "reduced" });
  expect(stored()).toEqual({});
});

test("a choice is kept, and taking it back follows the system again", async () => {
  const settings = await load();
  settings.set("theme", "dark");
  settings.set("coordinates", "off");
  expect(stored()).toEqual({ "riverstones.theme": "dark", "riverstones.coordinates": "off" });
  expect(dataset).toMatchObject({ theme: "dark", coordinates: "off" });
  settings.set("theme", "system");
  expect(dataset.theme).toBe("light");
  expect(stored()).toEqual({ "riverstones.coordinates": "off" });
});

test("an invalid stored value falls back to the default", async () => {
  window.localStorage.setItem("riverstones.pace", "hasty");
  expect((await load()).pace).toBe("normal");
});

test("the account's settings replace those of the device, also where they are the defaults", async () => {
  const settings = await load();
  settings.set("pace", "quick");
  settings.set("sound", "off");
  const changed = vi.fn();
  settings.onchange = changed;
  settings.adopt({ pace: "slow", language: "nl", sound: null });
  expect([settings.pace, settings.locale, settings.sound]).toEqual(["slow", "nl", true]);
  expect(settings.preferences).toEqual({ pace: "slow", language: "nl" });
  expect(changed, "what came from the account is not written back").not.toHaveBeenCalled();
});

test("changes are written to the account together, and an account without settings gets those of the device", async () => {
  const settings = await load();
  const { api } = await import("../src/lib/api");
  const { followAccount } = await import("../src/lib/preferences");
  const written: unknown[] = [];
  vi.spyOn(api, "me").mockResolvedValue({ account: true } as never);
  vi.spyOn(api, "preferences").mockResolvedValue(null);
  vi.spyOn(api, "keepPreferences").mockImplementation((body) => Promise.resolve(void written.push(body) as never));
  settings.set("pace", "slow");
  expect(await followAccount()).toBe(true);
  expect(written).toEqual([{ pace: "slow" }]);
  settings.set("pace", "quick");
  settings.set("sound", "off");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(written.slice(1)).toEqual([{ pace: "quick", sound: "off" }]);
});

test("a guest's settings stay on the device", async () => {
  const settings = await load();
  const { api } = await import("../src/lib/api");
  const { followAccount } = await import("../src/lib/preferences");
  vi.spyOn(api, "me").mockResolvedValue({ account: false } as never);
  const write = vi.spyOn(api, "keepPreferences");
  expect(await followAccount()).toBe(false);
  settings.set("pace", "slow");
  await vi.advanceTimersByTimeAsync(5_000);
  expect(write).not.toHaveBeenCalled();
});
