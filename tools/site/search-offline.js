/**
 * Search in pages that are opened from a folder. Browsers refuse workers there, so the script of a worker runs in a hidden
 * frame instead, which has a global object of its own as well.
 */
if (location.protocol === "file:") {
  window.Worker = class {
    #frame = document.createElement("iframe");
    /** Resolves when the script has been run. */
    #ready;

    constructor(url) {
      this.#frame.hidden = true;
      document.body.append(this.#frame);
      const inside = this.#frame.contentWindow;
      inside.postMessage = (message) => this.#deliver(() => this, message);
      const script = inside.document.createElement("script");
      script.src = url;
      this.#ready = new Promise((resolve) => (script.onload = resolve));
      script.onerror = (event) => this.onerror?.(event);
      inside.document.body.append(script);
    }

    postMessage(message) {
      const sent = structuredClone(message);
      this.#ready.then(() => this.#deliver(() => this.#frame.contentWindow, sent));
    }

    /** Delivers a copy, and later, as between threads. */
    #deliver(to, message) {
      const data = structuredClone(message);
      setTimeout(() => to()?.onmessage?.({ data }));
    }

    terminate() {
      this.#frame.remove();
    }
  };
}
