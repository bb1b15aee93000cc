/**
 * Replays a recording in Node: `node replay_in_node.mjs KERNEL_WASM RECORDING [RUNS]` prints what `replay` found, or all
 * that it found in several runs, one after the other.
 */
import { readFile } from "node:fs/promises";
import { Kernel } from "../../web/src/play/local/kernel.js";
import { replay } from "./replay.mjs";

const [module, recording, runs] = process.argv.slice(2);
const kernel = await Kernel.load(await readFile(module));
const steps = JSON.parse(await readFile(recording, "utf8"));
const found = Array.from({ length: Number(runs ?? 1) }, () => replay(kernel, steps));
console.log(JSON.stringify(runs ? found : found[0]));
