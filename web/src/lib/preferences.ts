/** Settings kept with the account: read when the app starts, written after each change. The last write wins. */

import { api } from "./api";
import { keep, kept } from "./storage";
import { settings } from "./settings.svelte";

/** Changes within this time are written together. */
const GATHER_MS = 800;

let timer: ReturnType<typeof setTimeout> | undefined;

/** The network may be down; the device keeps the settings anyway. */
const nextTime = (): void => {};

const push = (): Promise<unknown> => api.keepPreferences(settings.preferences).catch(nextTime);

/**
 * Take over the settings of the account and write every later change to it; an account without settings gets those of this
 * device. Does nothing for guests. Returns whether there is an account.
 */
export async function followAccount(): Promise<boolean> {
  try {
    const account = (await api.me())?.account ?? false;
    keep("account", account ? "yes" : "no");
    settings.onchange = nextTime;
    if (!account) return false;
    const found = await api.preferences();
    if (found) settings.adopt(found);
    else await push();
  } catch {
    return kept("account") === "yes";
  }
  settings.onchange = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void push(), GATHER_MS);
  };
  return true;
}
