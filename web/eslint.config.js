import js from "@eslint/js";
import svelte from "eslint-plugin-svelte";
import globals from "globals";
import ts from "typescript-eslint";
import svelteConfig from "./svelte.config.js";

/** Prettier formats and svelte-check checks types, so these rules look for mistakes only. */
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
      // TypeScript reports undefined names.
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
    // `let { a, b = 1 } = $props()` may declare constants and bindings together.
    rules: {
      "prefer-const": "off",
      // Svelte drops a space at the edge of a block; {" "} keeps it.
      "svelte/no-useless-mustaches": "off",
      // The sets here are replaced, never changed.
      "svelte/prefer-svelte-reactivity": "off",
      "no-restricted-syntax": [
        "error",
        ...[
          String.raw`SvelteAttribute[key.name="href"] > SvelteLiteral:first-child[value=/^(\x2F(?!api\x2F)|#)/]`,
          'SvelteAttribute[key.name="href"] > SvelteMustacheTag > :matches(Literal, TemplateLiteral, ConditionalExpression)',
        ].map((selector) => ({
          selector,
          message: "Links between pages are made by to(), which knows where the app is hosted.",
        })),
      ],
    },
  },
  { files: ["offline/service-worker.js"], languageOptions: { globals: globals.serviceworker } },
  {
    files: ["scripts/**", "*.config.*", "offline/*.ts"],
    languageOptions: { globals: globals.node },
    rules: { "no-console": "off" },
  },
);
