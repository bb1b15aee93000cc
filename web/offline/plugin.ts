/** Writes the service worker: offline/service-worker.js with the list of all built files. */

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

/** The files the app needs offline. table.html is left out: index.html takes its place. */
const NEEDED = /^index\.html$|^assets\/puzzles-[^/]*\.txt$|\.(js|css|woff2|svg|png|webmanifest)$/;

export function offline(): Plugin {
  let folder = "";
  const write = (): void => {
    const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => name.replaceAll("\\", "/"));
    const files = names.filter((name) => NEEDED.test(name)).sort();
    const hashed = files.map((name) => [
      `/${name}`,
      createHash("sha256")
        .update(readFileSync(join(folder, name)))
        .digest("hex")
        .slice(0, 16),
    ]);
    const source = readFileSync(new URL("./service-worker.js", import.meta.url), "utf8");
    writeFileSync(join(folder, "sw.js"), source.replace("FILES", JSON.stringify(hashed)));
  };
  return {
    name: "offline",
    apply: "build",
    configResolved: ({ root, build }) => void (folder = join(root, build.outDir)),
    closeBundle: { order: "post", sequential: true, handler: write },
  };
}
