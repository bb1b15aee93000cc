/**
 * The files for tables without a server: Pyodide, and the Python sources of rules, tables and engine as one JSON file.
 * The module `virtual:python` lists them, and has Pyodide's lock file without the packages, which are not used. No page loads them before they are needed.
 */

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

const PYODIDE = "node_modules/pyodide";
const RUNTIME = ["pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip"];
const KERNEL = "src/play/local/kernel.wasm";
const PACKAGE = "../src/riverstones";
/** What runs on a device; `server`, `cli` and the like do not. */
const ROOMS = ["rules", "notation", "table", "words", "engine", "study", "local"];
/** Matches, laboratory and making puzzles need a machine of their own. */
const LEFT_OUT = /engine\/arena|puzzles\/making|review\/page\.|puzzles\.txt|words\/(?!en)\w+\.json|__pycache__/;

/** Every source file by its path, with its text. */
function sources(): Record<string, string> {
  const found: Record<string, string> = { "riverstones/__init__.py": readFileSync(join(PACKAGE, "__init__.py"), "utf8") };
  for (const room of ROOMS) {
    for (const name of readdirSync(join(PACKAGE, room), { recursive: true, encoding: "utf8" }).sort()) {
      const path = `${room}/${name.replaceAll("\\", "/")}`;
      if (/\.(py|json)$/.test(path) && !LEFT_OUT.test(path))
        found[`riverstones/${path}`] = readFileSync(join(PACKAGE, path), "utf8");
    }
  }
  return found;
}

export function python(): Plugin {
  const id = "\0virtual:python";
  let building = false;
  let files: Map<string, Buffer>;
  const gather = (): Map<string, Buffer> =>
    new Map([
      ...RUNTIME.map((name): [string, Buffer] => [name, readFileSync(join(PYODIDE, name))]),
      ["kernel.wasm", readFileSync(KERNEL)],
      ["riverstones.json", Buffer.from(JSON.stringify(sources()))],
    ]);
  /** The folder's name has a hash of all files, so that browsers may keep them for good. */
  const folder = (): string => {
    const hash = createHash("sha256");
    for (const content of files.values()) hash.update(content);
    return `assets/python-${hash.digest("hex").slice(0, 8)}`;
  };
  return {
    name: "python",
    configResolved: ({ command }) => void (building = command === "build"),
    resolveId: (name) => (name === "virtual:python" ? id : undefined),
    load(name) {
      if (name !== id) return;
      files ??= gather();
      const sizes = Object.fromEntries([...files].map(([file, content]) => [file, content.length]));
      const lock = JSON.parse(readFileSync(join(PYODIDE, "pyodide-lock.json"), "utf8")) as { info: object };
      return `export const FOLDER = ${JSON.stringify(building ? folder() : "python")};
export const SIZES = ${JSON.stringify(sizes)};
export const LOCK = ${JSON.stringify({ info: lock.info, packages: {} })};`;
    },
    generateBundle() {
      files ??= gather();
      for (const [name, source] of files) this.emitFile({ type: "asset", fileName: `${folder()}/${name}`, source });
    },
    configureServer(server) {
      server.middlewares.use("/python", (request, response, next) => {
        const content = gather().get((request.url ?? "").replace(/^\/|\?.*$/g, ""));
        if (!content) return next();
        if (request.url?.includes(".mjs")) response.setHeader("content-type", "text/javascript");
        response.end(content);
      });
    },
  };
}
