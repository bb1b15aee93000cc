/** The files for tables without a server, kept on this device so that they are there without a network. */

import { FOLDER, SIZES } from "virtual:python";
import { forget, keep } from "../../lib/storage";

/** The service worker answers from this cache, and brings it up to date with a new version of the app. */
const CACHE = `riverstones-python ${new URL(import.meta.env.BASE_URL, document.baseURI).pathname}`;
const TOTAL = Object.values(SIZES).reduce((sum, size) => sum + size, 0);

/** How much space the files take, in megabytes. */
export const SIZE_MB = Math.round(TOTAL / 1e6);

/** Browsers keep files for pages from https and localhost alone. */
export const canKeep = (): boolean => "serviceWorker" in navigator && "caches" in globalThis;

/** Fetch the files. Stopped, or after a failure, nothing is kept. */
export async function keepOffline(onprogress: (share: number) => void, signal: AbortSignal): Promise<void> {
  let loaded = 0;
  const counting = () =>
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        loaded += chunk.length;
        onprogress(loaded / TOTAL);
        controller.enqueue(chunk);
      },
    });
  const cache = await caches.open(CACHE);
  try {
    for (const name of Object.keys(SIZES)) {
      const url = `${import.meta.env.BASE_URL}${FOLDER}/${name}`;
      const response = await fetch(url, { signal });
      if (!response.ok) throw new Error(`${url}: ${response.status}`);
      await cache.put(url, new Response(response.body!.pipeThrough(counting()), { headers: kind(response) }));
    }
    // The app itself must be there as well.
    await navigator.serviceWorker.register(`${import.meta.env.BASE_URL}sw.js`);
    await navigator.serviceWorker.ready;
  } catch (error) {
    await removeOffline();
    throw error;
  }
  // Asks the browser not to remove the files, and the games, when it needs space.
  await navigator.storage.persist?.();
  keep("offline", "yes");
}

export async function removeOffline(): Promise<void> {
  forget("offline");
  await caches.delete(CACHE);
}

/** The type alone: what is kept is not compressed, and the header would say so. */
const kind = ({ headers }: Response): HeadersInit => ({
  "content-type": headers.get("content-type") ?? "application/octet-stream",
});
