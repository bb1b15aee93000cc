/**
 * Links between the pages of the app. A place in the app is written as a path, with a query and a fragment if it has them:
 * `/replay/abc?turn=3`, `/rules#scoring`. A server answers every path, so there a place is a URL. A static host answers only
 * for files, so there the place is in the fragment of the one page: `#/replay/abc?turn=3`, `#/rules?at=scoring`.
 */

import { SERVERLESS } from "./hosting";

/** The parameter that has the fragment of a place in the static build: a URL has only one fragment. */
const AT = "at";

export interface Place {
  path: string;
  query: URLSearchParams;
  /** The section of a page, or the position on the study board, as it is in the URL. */
  fragment: string;
}

/** The URL of a place, for `href`. */
export function to(place: string): string {
  if (!SERVERLESS) return place;
  const [page, fragment] = place.split("#") as [string, string?];
  return `#${page}${fragment ? `${page.includes("?") ? "&" : "?"}${AT}=${fragment}` : ""}`;
}

/** The place that a URL names: of `location`, or of a link. */
export function placeOf(url: Pick<URL, "pathname" | "search" | "hash">): Place {
  if (!SERVERLESS) return { path: url.pathname, query: new URLSearchParams(url.search), fragment: url.hash.slice(1) };
  const [, path = "/", search] = /^#(\/[^?]*)\??(.*)$/.exec(url.hash) ?? [];
  const query = new URLSearchParams(search);
  const fragment = query.get(AT) ?? "";
  query.delete(AT);
  return { path, query, fragment };
}

/** The place that a link leads to; null if it leads elsewhere, or to a section of the page that is shown. */
export function placeBehind(link: HTMLAnchorElement): string | null {
  if (link.origin !== location.origin) return null;
  if (SERVERLESS) return link.pathname === location.pathname && link.hash.startsWith("#/") ? link.hash.slice(1) : null;
  if (link.pathname.startsWith("/api/") || (link.hash && link.pathname === location.pathname)) return null;
  return link.pathname + link.search + link.hash;
}

/** A link to pass on; `origin` is where others find this page. */
export const linkTo = (origin: string, place: string): string => `${origin}${SERVERLESS ? location.pathname : ""}${to(place)}`;
