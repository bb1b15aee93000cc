/** The address under which other devices find this page. */

import { api } from "./api";
import { SERVERLESS } from "./hosting";

/** The URL of this page is useless to other devices if it names localhost. */
export const isLocal = (): boolean => ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);

/** Null if the server can be reached from this computer alone. It knows its address in the network, if it listens there. */
export async function sharedOrigin(): Promise<string | null> {
  if (SERVERLESS) return isLocal() ? null : location.origin;
  return isLocal() ? ((await api.addresses())[0] ?? null) : location.origin;
}

/** The origin for links to keep: that for other devices, or the one of this computer if there is no other. */
export const linkOrigin = (): Promise<string> =>
  sharedOrigin()
    .catch(() => null)
    .then((origin) => origin ?? location.origin);
