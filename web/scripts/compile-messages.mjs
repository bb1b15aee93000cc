// Turns messages/*.json into typed functions. Which languages there are is read from the folder, so that one more
// language is one more file.
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { compile } from "@inlang/paraglide-js";

const web = fileURLToPath(new URL("..", import.meta.url));
const locales = readdirSync(`${web}/messages`)
  .filter((name) => name.endsWith(".json"))
  .map((name) => name.replace(".json", ""))
  .sort();

mkdirSync(`${web}/project.inlang`, { recursive: true });
const settings = {
  baseLocale: "en",
  telemetry: "off",
  locales,
  modules: ["./node_modules/@inlang/plugin-message-format/dist/index.js"],
  "plugin.inlang.messageFormat": { pathPattern: "./messages/{locale}.json" },
};
writeFileSync(`${web}/project.inlang/settings.json`, JSON.stringify(settings));

await compile({
  project: `${web}/project.inlang`,
  outdir: `${web}/src/paraglide`,
  strategy: ["localStorage", "preferredLanguage", "baseLocale"],
  localStorageKey: "riverstones.language",
  emitTsDeclarations: true,
});

// The compiler leaves timers behind that would hold the process for half a minute.
process.exit(0);
