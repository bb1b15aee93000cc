/** The client-side router: every page has its own URL. Back and forward restore the scroll position. */

import { SERVERLESS } from "./hosting";
import { placeBehind, placeOf, to } from "./links";

/** How long to wait for a page to become tall enough for its scroll position. */
const RESTORE_MS = 10_000;

/** The section that a fragment names; none if it cannot be decoded. */
function sectionNamed(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return "";
  }
}

/** Scroll to a section, and let the keyboard go on from there, as browsers do with sections of a URL. */
function goTo(section: HTMLElement): void {
  section.scrollIntoView();
  if (section.tabIndex < 0) {
    section.tabIndex = -1;
    section.style.outline = "none";
  }
  section.focus({ preventScroll: true });
}

class Router {
  /** The path of the page in the app, and its query: the same wherever the app is hosted. */
  path = $state(placeOf(location).path);
  query = $state.raw(placeOf(location).query);
  /** How many pages have been opened. */
  private visits = 0;

  constructor() {
    // Pages render in steps, after the browser would have restored the position, so it is stored and restored here.
    history.scrollRestoration = "manual";
    addEventListener("popstate", () => {
      this.visits += 1;
      this.read();
      this.restoreScroll();
    });
    // Back and forward fire popstate after the scroll position is lost, so it is stored after each scroll.
    addEventListener("scrollend", () => this.storeScroll());
    addEventListener("pagehide", () => this.storeScroll());
    document.addEventListener("click", (event) => this.follow(event));
    this.restoreScroll();
  }

  go(place: string, replace = false): void {
    if (replace) history.replaceState(history.state, "", to(place));
    else {
      this.storeScroll();
      this.visits += 1;
      history.pushState(null, "", to(place));
    }
    this.read();
    if (replace) return;
    // Only a server's URL can name a section in a way that browsers understand.
    if (SERVERLESS && placeOf(location).fragment) this.restoreScroll();
    else scrollTo(0, 0);
  }

  /** A way to go to a page later, which does nothing once the visitor has left the present page. */
  later(): (place: string) => void {
    const { visits } = this;
    return (place) => {
      if (visits === this.visits) this.go(place);
    };
  }

  private storeScroll(): void {
    history.replaceState({ y: scrollY }, "");
  }

  /** Scroll to the stored position, or to the section that a new URL names, once the page is tall enough. Stops if the visitor scrolls. */
  private restoreScroll(): void {
    const stored = history.state as { y: number } | null;
    const section = stored ? "" : sectionNamed(placeOf(location).fragment);
    const y = stored?.y ?? 0;
    const until = performance.now() + RESTORE_MS;
    const stop = new AbortController();
    for (const sign of ["wheel", "pointerdown", "keydown", "popstate"])
      addEventListener(sign, () => stop.abort(), { signal: stop.signal });
    const attempt = () => {
      if (stop.signal.aborted) return;
      const target = section && document.getElementById(section);
      if (target) goTo(target);
      else scrollTo(0, y);
      const done = section ? target : Math.abs(scrollY - y) < 1;
      if (done || performance.now() > until) stop.abort();
      else requestAnimationFrame(attempt);
    };
    // In the next frame: the page being left, which may be taller, must be gone.
    requestAnimationFrame(attempt);
  }

  private read(): void {
    ({ path: this.path, query: this.query } = placeOf(location));
  }

  private follow(event: MouseEvent): void {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const link = (event.target as Element).closest?.("a");
    const place = link && !link.target && !link.hasAttribute("download") && placeBehind(link);
    if (!place) return;
    event.preventDefault();
    this.go(place);
  }
}

export const router = new Router();
