/** Work that can wait: it is done after the page has loaded, one piece at a time, so that no piece delays an input. */

/** How long after the first request, and how long between two pieces. */
const FIRST_MS = 4_000;
const EACH_MS = 250;

const waiting: (() => void)[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

function next(): void {
  waiting.shift()?.();
  timer = waiting.length ? setTimeout(next, EACH_MS) : undefined;
}

/** Runs a callback when its turn has come; returns a function that cancels it. */
export function deferTask(act: () => void): () => void {
  waiting.push(act);
  timer ??= setTimeout(next, FIRST_MS);
  return () => {
    const place = waiting.indexOf(act);
    if (place >= 0) waiting.splice(place, 1);
  };
}
