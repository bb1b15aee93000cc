/** Every text of the page: `m.points({ count: 3 })` is "3 points" in the visitor's language. */
export * as m from "./generated/index.js";
