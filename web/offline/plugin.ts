/** Writes the service worker: offline/service-worker.js with the lists of built files. */

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

/** The files the app needs offline. table.html is left out: index.html takes its place. */
const NEEDED = /^index\.html$|^assets\/puzzles-[^/]*\.txt$|\.(js|css|woff2|svg|png|webmanifest)$/;

/** The files for tables without a server, which are kept only if the person wants them: see python.ts. */
const PYTHON = /^assets\/python-.*(?<!\.br)$/;

export function offline(): Plugin {
  let folder = "";
  const write = (): void => {
    const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => name.replaceAll("\\", "/"));
    const files = names.filter((name) => NEEDED.test(name)).sort();
    const hashed = files.map((name) => [
      name,
      createHash("sha256")
        .update(readFileSync(join(folder, name)))
        .digest("hex")
        .slice(0, 16),
    ]);
    const source = readFileSync(new URL("./service-worker.js", import.meta.url), "utf8");
    const python = names.filter((name) => PYTHON.test(name) && name.includes(".")).sort();
    const lists = { APP_FILES: hashed, PYTHON_FILES: python };
    writeFileSync(
      join(folder, "sw.js"),
      source.replace(/APP_FILES|PYTHON_FILES/g, (list) => JSON.stringify(lists[list as keyof typeof lists])),
    );
  };
  return {
    name: "offline",
    apply: "build",
    configResolved: ({ root, build }) => void (folder = join(root, build.outDir)),
    closeBundle: { order: "post", sequential: true, handler: write },
  };
}
