/**
 * Runs a Python script in Pyodide, as in a browser: without NumPy and Numba, with the WebAssembly kernel connected.
 * `node in_pyodide.mjs KERNEL_WASM SOURCES SCRIPT INPUT` prints what the script's `main` makes of the text of INPUT.
 */
import { readFile } from "node:fs/promises";
import { loadPyodide } from "../../web/node_modules/pyodide/pyodide.mjs";
import { Kernel } from "../../web/src/play/local/kernel.js";

const [module, sources, script, input] = process.argv.slice(2);
const python = await loadPyodide();
python.mountNodeFS("/sources", sources);
const names = python.globals;
names.set("kernel", await Kernel.load(await readFile(module)));
python.runPython(`
import sys
sys.dont_write_bytecode = True
sys.path.insert(0, "/sources")
from riverstones.engine import wasm
wasm.connect(kernel)
`);
python.runPython(await readFile(script, "utf8"));
try {
  console.log(names.get("main")(await readFile(input, "utf8")));
} catch (error) {
  // Without the source of Pyodide, which Node would print.
  console.error(error.message);
  process.exitCode = 1;
}
