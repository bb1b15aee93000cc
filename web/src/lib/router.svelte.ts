/** Where the visitor is. Plain paths, so that every page has a link of its own. */

/** How long a page may take to be as long as it was. */
const PATIENCE_MS = 1_500;

class Router {
  path = $state(location.pathname);
  query = $state.raw(new URLSearchParams(location.search));

  constructor() {
    // A page comes in steps, later than the browser would scroll: who goes back finds the place by the note made there.
    history.scrollRestoration = "manual";
    addEventListener("popstate", () => {
      this.read();
      this.scrollBack();
    });
    // Who leaves by the browser's own buttons is told of when it is too late for a note.
    addEventListener("scrollend", () => this.note());
    addEventListener("pagehide", () => this.note());
    document.addEventListener("click", (event) => this.follow(event));
    this.scrollBack();
  }

  go(to: string, replace = false): void {
    if (replace) history.replaceState(history.state, "", to);
    else {
      this.note();
      history.pushState(null, "", to);
    }
    this.read();
    if (!replace) scrollTo(0, 0);
  }

  private note(): void {
    history.replaceState({ y: scrollY }, "");
  }

  /** Scroll to where the visitor was, as soon as the page is long enough; who scrolls meanwhile is left alone. */
  private scrollBack(): void {
    const { y } = (history.state ?? { y: 0 }) as { y: number };
    const until = performance.now() + PATIENCE_MS;
    const given = new AbortController();
    for (const sign of ["wheel", "pointerdown", "keydown", "popstate"])
      addEventListener(sign, () => given.abort(), { signal: given.signal });
    const attempt = () => {
      if (given.signal.aborted) return;
      scrollTo(0, y);
      if (Math.abs(scrollY - y) < 1 || performance.now() > until) given.abort();
      else requestAnimationFrame(attempt);
    };
    // Not before the page that is left has gone: it may be long enough where the other is not yet.
    requestAnimationFrame(attempt);
  }

  private read(): void {
    this.path = location.pathname;
    this.query = new URLSearchParams(location.search);
  }

  private follow(event: MouseEvent): void {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const link = (event.target as Element).closest?.("a");
    if (!link || link.target || link.origin !== location.origin || link.hasAttribute("download")) return;
    if (link.pathname.startsWith("/api/") || (link.hash && link.pathname === location.pathname)) return;
    event.preventDefault();
    this.go(link.pathname + link.search);
  }
}

export const router = new Router();
