// Keeps the whole app on the device, so that it opens without a network. The build fills in the
// name of every file and a hash of its content, and the names of the files for tables without a
// server, which are kept once the person has asked for it: see src/play/local/pack.ts.
const BASE = new URL("./", self.location).pathname;
const KEPT = new Map(APP_FILES.map(([name, hash]) => [BASE + name, hash]));
// Other apps, and other copies of this one, may have caches at the same origin.
const CACHE = `riverstones ${BASE}`;
const PYTHON = new Set(PYTHON_FILES.map((name) => BASE + name));
const PYTHON_CACHE = `riverstones-python ${BASE}`;
/** The name that earlier versions used. */
const OLD_CACHE = "riverstones";

/** A file is kept under its path and its hash: a new version of the app fetches only what has changed. */
const keyOf = (path) => `${path}?hash=${KEPT.get(path)}`;
const wanted = new Set([...KEPT.keys()].map(keyOf));

async function keysOf(cache) {
  const requests = await cache.keys();
  return requests.map(({ url }) => new URL(url)).map(({ pathname, search }) => pathname + search);
}

async function fetched(path) {
  const answer = await fetch(path, { cache: "no-cache" });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer;
}

async function install() {
  const cache = await caches.open(CACHE);
  const there = new Set(await keysOf(cache));
  const missing = [...KEPT.keys()].filter((path) => !there.has(keyOf(path)));
  await Promise.all(missing.map(async (path) => cache.put(keyOf(path), await fetched(path))));
  if (await caches.has(PYTHON_CACHE)) await installPython();
  await self.skipWaiting();
}

/** The name of the folder has a hash of the files, so what is there need not be fetched again. */
async function installPython() {
  const cache = await caches.open(PYTHON_CACHE);
  const there = new Set(await keysOf(cache));
  // Whoever has stopped the download has an empty cache.
  const missing = there.size ? [...PYTHON].filter((path) => !there.has(path)) : [];
  await Promise.all(missing.map(async (path) => cache.put(path, await fetched(path))));
}

async function cleanUp() {
  await caches.delete(OLD_CACHE);
  await removeOld(CACHE, wanted);
  if (await caches.has(PYTHON_CACHE)) await removeOld(PYTHON_CACHE, PYTHON);
  await self.clients.claim();
}

async function removeOld(name, current) {
  const cache = await caches.open(name);
  const old = (await keysOf(cache)).filter((key) => !current.has(key));
  await Promise.all(old.map((key) => cache.delete(key)));
}

async function answer(cacheName, key, request) {
  const found = (await caches.has(cacheName)) && (await (await caches.open(cacheName)).match(key));
  return found || fetch(request);
}

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(cleanUp()));
self.addEventListener("fetch", (event) => {
  const { method, mode, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (method !== "GET" || origin !== self.location.origin || pathname.startsWith(`${BASE}api/`)) return;
  // Every path without a dot is a page of the app, which index.html shows; a path with a dot is a file.
  const path = mode === "navigate" && !pathname.includes(".") ? `${BASE}index.html` : pathname;
  if (KEPT.has(path)) event.respondWith(answer(CACHE, keyOf(path), event.request));
  else if (PYTHON.has(path)) event.respondWith(answer(PYTHON_CACHE, path, event.request));
});
