/** Small things that this device remembers. Storage may be closed; then they last as long as the page. */

const fallback = new Map<string, string>();

export function kept(key: string): string | null {
  try {
    return localStorage.getItem(`riverstones.${key}`);
  } catch {
    return fallback.get(key) ?? null;
  }
}

export function keep(key: string, value: string): void {
  try {
    localStorage.setItem(`riverstones.${key}`, value);
  } catch {
    fallback.set(key, value);
  }
}
