/** Small values in browser storage. If storage is blocked they last as long as the page. */

const fallback = new Map<string, string>();

/** Permanent, or until the tab is closed. */
type Shelf = "localStorage" | "sessionStorage";

export function kept(key: string, shelf: Shelf = "localStorage"): string | null {
  try {
    return window[shelf].getItem(`riverstones.${key}`);
  } catch {
    return fallback.get(key) ?? null;
  }
}

export function keep(key: string, value: string, shelf: Shelf = "localStorage"): void {
  try {
    window[shelf].setItem(`riverstones.${key}`, value);
  } catch {
    fallback.set(key, value);
  }
}

export function forget(key: string, shelf: Shelf = "localStorage"): void {
  fallback.delete(key);
  try {
    window[shelf].removeItem(`riverstones.${key}`);
  } catch {
    // Storage is blocked.
  }
}
