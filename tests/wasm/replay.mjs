/**
 * Replays recorded calls of compiled functions on the WebAssembly kernel and compares every result with the native one,
 * bit for bit: see recording.py. It runs in Node and in a page.
 */

const HEADER = 16;
const VIEWS = { uint8: Uint8Array, int32: Int32Array, int64: BigInt64Array, float64: Float64Array };

/**
 * @param {import("../../web/src/play/local/kernel.js").Kernel} kernel
 * @param {unknown[][]} steps the recording
 * @returns what was compared, the first differences, and the milliseconds spent in each function
 */
export function replay(kernel, steps) {
  const arrays = [];
  const spent = {};
  const differences = [];
  let compared = 0;
  let end = Math.ceil(kernel.heap / HEADER) * HEADER;
  for (const [kind, ...step] of steps) {
    if (kind === "array") {
      const [type, shape] = step;
      const length = shape.reduce((product, each) => product * each, 1);
      const size = length * VIEWS[type].BYTES_PER_ELEMENT;
      const address = end + HEADER;
      end = Math.ceil((address + size) / HEADER) * HEADER;
      if (end > kernel.size()) kernel.grow(Math.ceil((end - kernel.size()) / 65536));
      const header = kernel.view(address - HEADER, HEADER);
      new Uint32Array(header.buffer, header.byteOffset, shape.length).set(shape);
      kernel.view(address, size).fill(0);
      arrays.push({ type, length, address, size });
    } else if (kind === "write") {
      const [id, start, values] = step;
      const view = numbers(kernel, arrays[id]);
      values.forEach((value, place) => (view[start + place] = typeof view[0] === "bigint" ? BigInt(value) : value));
    } else {
      const [name, given, result, sums] = step;
      const used = given.filter((each) => typeof each === "string").map((each) => arrays[Number(each.slice(1))]);
      const values = given.map((each) => (typeof each === "string" ? arrays[Number(each.slice(1))].address : each));
      const compiled = kernel.function(name);
      const begun = performance.now();
      const found = compiled(...values);
      spent[name] = (spent[name] ?? 0) + performance.now() - begun;
      compared += 1;
      const foundSums = sums && used.map((array) => checksum(kernel, array));
      if (!Object.is(found ?? null, result) || (sums && sums.some((sum, place) => sum !== foundSums[place]))) {
        if (differences.length < 5) differences.push({ call: compared, name, result, found, sums, foundSums });
      }
    }
  }
  return { compared, differences, spent };
}

function numbers(kernel, { type, length, address, size }) {
  return new VIEWS[type](kernel.view(address, size).buffer, address, length);
}

/** Each 32-bit word times an odd number of its own, summed modulo 2**32: a change of one word always shows. */
function checksum(kernel, { address, size }) {
  const { buffer } = kernel.view(address, 0);
  const words = new Uint32Array(buffer, address, size >> 2);
  let sum = 0;
  for (let place = 0; place < words.length; place += 1) {
    sum = (sum + Math.imul(words[place], Math.imul(place, 0x9e3779b1) | 1)) | 0;
  }
  const rest = new Uint8Array(buffer, address + 4 * words.length, size & 3);
  rest.forEach((byte, place) => (sum = (sum + Math.imul(byte, Math.imul(words.length + place, 0x9e3779b1) | 1)) | 0));
  return sum >>> 0;
}
