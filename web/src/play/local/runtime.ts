/** Python in a worker: Pyodide, the sources of riverstones and the engine's compiled kernel. */

import { loadPyodide } from "pyodide";
import { FOLDER, LOCK, SIZES } from "virtual:python";
import { Kernel } from "./kernel.js";

/** The methods of `riverstones.local.bridge.Bridge`: JSON text in and out. */
export interface Bridge {
  create(table: string, form: string, nowMs: number, entropy: string): string;
  open(table: string, rows: string): void;
  close(table: string): void;
  receive(table: string, message: string, nowMs: number, entropy: string): string;
  advance(table: string, rows: string): string;
  seq(table: string): number;
  listed_with(table: string, rows: string): string;
  due(table: string): string;
  prepare(table: string): void;
  carry_out(table: string, name: string, nowMs: number, entropy: string): string;
  ask(route: string, given: string, tables: string): string;
  wake(table: string, fromMs: number, nowMs: number, entropy: string): string;
  save(rows: string, nowMs: number): string;
  restore(table: string, text: string): string;
  /** Reviews of another version are computed again. */
  readonly review_version: number;
}

const TOTAL = Object.values(SIZES).reduce((sum, size) => sum + size, 0);

/**
 * Fetch as the worker does from now on: count what arrives, also of what Pyodide fetches by itself, and call WebAssembly
 * by its name, which not every static host does.
 */
function countFetches(onprogress: (share: number) => void): void {
  const original = globalThis.fetch.bind(globalThis);
  let loaded = 0;
  globalThis.fetch = async (input, init) => {
    const response = await original(input, init);
    if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
    const counting = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        loaded += chunk.length;
        onprogress(Math.min(loaded / TOTAL, 1));
        controller.enqueue(chunk);
      },
    });
    const headers = new Headers(response.headers);
    if (response.url.endsWith(".wasm")) headers.set("content-type", "application/wasm");
    return new Response(response.body!.pipeThrough(counting), { headers });
  };
}

export async function loadPython(site: string, onprogress: (share: number) => void): Promise<Bridge> {
  countFetches(onprogress);
  const folder = new URL(`${FOLDER}/`, site).href;
  const [python, kernel, sources] = await Promise.all([
    loadPyodide({ indexURL: folder, lockFileContents: LOCK }),
    fetch(`${folder}kernel.wasm`)
      .then((response) => response.arrayBuffer())
      .then((module) => Kernel.load(module)),
    fetch(`${folder}riverstones.json`).then((response) => response.json() as Promise<Record<string, string>>),
  ]);
  const made = new Set<string>();
  for (const [path, text] of Object.entries(sources)) {
    const file = `/sources/${path}`;
    const parent = file.slice(0, file.lastIndexOf("/"));
    if (!made.has(parent)) python.FS.mkdirTree(parent);
    made.add(parent);
    python.FS.writeFile(file, text);
  }
  python.globals.set("kernel", kernel);
  return python.runPython(`
import sys
sys.dont_write_bytecode = True
sys.path.insert(0, "/sources")
from riverstones.engine import wasm
wasm.connect(kernel)
from riverstones.local.bridge import Bridge
Bridge()
`) as Bridge;
}
