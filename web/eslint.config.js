import js from "@eslint/js";
import svelte from "eslint-plugin-svelte";
import globals from "globals";
import ts from "typescript-eslint";
import svelteConfig from "./svelte.config.js";

/** Formatting is Prettier's business, and types are svelte-check's: what is left are mistakes. */
export default ts.config(
  { ignores: ["src/words/generated/", "src/protocol/", "node_modules/"] },
  js.configs.recommended,
  ts.configs.recommended,
  svelte.configs.recommended,
  svelte.configs.prettier,
  {
    languageOptions: { globals: globals.browser },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      // TypeScript knows every name.
      "no-undef": "off",
      "@typescript-eslint/no-unused-vars": [
        "error",
        { args: "all", argsIgnorePattern: "^_", varsIgnorePattern: "^_$", caughtErrorsIgnorePattern: "^_" },
      ],
      eqeqeq: "error",
      "prefer-const": "error",
      "no-console": "error",
    },
  },
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: { parserOptions: { extraFileExtensions: [".svelte"], parser: ts.parser, svelteConfig } },
    // `let { a, b = 1 } = $props()` may hold both kinds.
    rules: {
      "prefer-const": "off",
      // Svelte drops a space at the edge of a block; {" "} keeps it.
      "svelte/no-useless-mustaches": "off",
      // The sets here are replaced, never changed.
      "svelte/prefer-svelte-reactivity": "off",
    },
  },
  { files: ["offline/service-worker.js"], languageOptions: { globals: globals.serviceworker } },
  {
    files: ["scripts/**", "*.config.*", "offline/plugin.ts"],
    languageOptions: { globals: globals.node },
    rules: { "no-console": "off" },
  },
);
