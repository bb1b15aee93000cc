/** A Vitest environment for reactive modules: compiled for the browser, run in Node. */
export default {
  name: "client",
  viteEnvironment: "client",
  setup: () => ({ teardown: () => {} }),
};
