// @ts-check
/**
 * The engine's compiled functions: a WebAssembly module with its memory, as `riverstones.engine.wasm` uses them.
 * tools/build_kernel.py builds the module, and says what its functions take.
 */
export class Kernel {
  #exports;
  #memory;

  /** @param {WebAssembly.Instance} instance */
  constructor(instance) {
    this.#exports = instance.exports;
    this.#memory = /** @type {WebAssembly.Memory} */ (instance.exports.memory);
    /** The address of the first free byte. */
    this.heap = Number(/** @type {WebAssembly.Global} */ (instance.exports.__heap_base).value);
  }

  /**
   * A kernel with a memory of its own.
   * @param {BufferSource} module
   */
  static async load(module) {
    const { instance } = await WebAssembly.instantiate(module);
    return new Kernel(instance);
  }

  /**
   * A compiled function.
   * @param {string} name
   */
  function(name) {
    const found = this.#exports[name];
    if (typeof found !== "function") throw new Error(`The kernel has no function ${name}.`);
    return found;
  }

  /** The size of the memory in bytes. */
  size() {
    return this.#memory.buffer.byteLength;
  }

  /**
   * Add pages of 64 KiB to the memory. This invalidates all views.
   * @param {number} pages
   */
  grow(pages) {
    this.#memory.grow(pages);
  }

  /**
   * A range of the memory.
   * @param {number} address
   * @param {number} size
   */
  view(address, size) {
    return new Uint8Array(this.#memory.buffer, address, size);
  }
}
