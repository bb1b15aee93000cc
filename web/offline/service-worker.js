// Keeps the whole app on the device, so that it opens without a network. The build fills in the
// path of every file and a hash of its content.
const KEPT = new Map(FILES);
const CACHE = "riverstones";

/** A file is kept under its path and its hash: a new version of the app fetches only what has changed. */
const keyOf = (path) => `${path}?hash=${KEPT.get(path)}`;
const wanted = new Set([...KEPT.keys()].map(keyOf));

async function keysOf(cache) {
  const requests = await cache.keys();
  return requests.map(({ url }) => new URL(url)).map(({ pathname, search }) => pathname + search);
}

async function install() {
  const cache = await caches.open(CACHE);
  const there = new Set(await keysOf(cache));
  const missing = [...KEPT.keys()].filter((path) => !there.has(keyOf(path)));
  await Promise.all(
    missing.map(async (path) => {
      const answer = await fetch(path, { cache: "no-cache" });
      if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
      await cache.put(keyOf(path), answer);
    }),
  );
  await self.skipWaiting();
}

async function cleanUp() {
  const cache = await caches.open(CACHE);
  const others = (await caches.keys()).filter((name) => name !== CACHE);
  const old = (await keysOf(cache)).filter((key) => !wanted.has(key));
  await Promise.all([...others.map((name) => caches.delete(name)), ...old.map((key) => cache.delete(key))]);
  await self.clients.claim();
}

async function answer(path, request) {
  const cache = await caches.open(CACHE);
  return (await cache.match(keyOf(path))) ?? fetch(request);
}

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(cleanUp()));
self.addEventListener("fetch", (event) => {
  const { method, mode, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (method !== "GET" || origin !== self.location.origin || pathname.startsWith("/api/")) return;
  // Every path without a dot is a page of the app, which index.html shows; a path with a dot is a file.
  const path = mode === "navigate" && !pathname.includes(".") ? "/index.html" : pathname;
  if (KEPT.has(path)) event.respondWith(answer(path, event.request));
});
