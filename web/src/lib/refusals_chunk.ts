/**
 * The refusals for the first page, which loads them only when it has to say one. It does not import them directly, since
 * the bundler would then give every table one more file to load.
 */

export { reasonOf } from "./refusals.svelte";
