/** The client-side router: paths without hashes, so that every page has its own URL. Back and forward restore the scroll position. */

/** How long to wait for a page to become tall enough for its scroll position. */
const RESTORE_MS = 10_000;

/** The section that a fragment names; none if it cannot be decoded. */
function sectionNamed(fragment: string): string {
  try {
    return decodeURIComponent(fragment.slice(1));
  } catch {
    return "";
  }
}

class Router {
  path = $state(location.pathname);
  query = $state.raw(new URLSearchParams(location.search));

  constructor() {
    // Pages render in steps, after the browser would have restored the position, so it is stored and restored here.
    history.scrollRestoration = "manual";
    addEventListener("popstate", () => {
      this.read();
      this.restoreScroll();
    });
    // Back and forward fire popstate after the scroll position is lost, so it is stored after each scroll.
    addEventListener("scrollend", () => this.storeScroll());
    addEventListener("pagehide", () => this.storeScroll());
    document.addEventListener("click", (event) => this.follow(event));
    this.restoreScroll();
  }

  go(to: string, replace = false): void {
    if (replace) history.replaceState(history.state, "", to);
    else {
      this.storeScroll();
      history.pushState(null, "", to);
    }
    this.read();
    if (!replace) scrollTo(0, 0);
  }

  private storeScroll(): void {
    history.replaceState({ y: scrollY }, "");
  }

  /** Scroll to the stored position, or to the section that a new URL names, once the page is tall enough. Stops if the visitor scrolls. */
  private restoreScroll(): void {
    const stored = history.state as { y: number } | null;
    const section = stored ? "" : sectionNamed(location.hash);
    const y = stored?.y ?? 0;
    const until = performance.now() + RESTORE_MS;
    const stop = new AbortController();
    for (const sign of ["wheel", "pointerdown", "keydown", "popstate"])
      addEventListener(sign, () => stop.abort(), { signal: stop.signal });
    const attempt = () => {
      if (stop.signal.aborted) return;
      const target = section && document.getElementById(section);
      if (target) target.scrollIntoView();
      else scrollTo(0, y);
      const done = section ? target : Math.abs(scrollY - y) < 1;
      if (done || performance.now() > until) stop.abort();
      else requestAnimationFrame(attempt);
    };
    // In the next frame: the page being left, which may be taller, must be gone.
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
    this.go(link.pathname + link.search + link.hash);
  }
}

export const router = new Router();
