/** For tests of reactive modules: they are compiled as for a browser, without one. */
export default {
  name: "client",
  viteEnvironment: "client",
  setup: () => ({ teardown: () => {} }),
};
