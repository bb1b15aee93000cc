// Compiles the catalogues in src/riverstones/words, one JSON file per language, into one typed function per message:
// m.points({ count: 3 }). Each message is a module of its own, so that a page's file holds only the messages it uses.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const SOURCE = fileURLToPath(new URL("../../src/riverstones/words/", import.meta.url));
const TARGET = fileURLToPath(new URL("../src/words/generated/", import.meta.url));
const PARAMETER = /\{([a-z_]+)\}/g;
// Browsers have the grammar built in, and rejected synonyms concern translators alone.
const WITHOUT_MESSAGES = ["grammar", "rejected"];
const FAMILIES = ["layout", "level", "option"];
// Those of the rules, and of a page without its server, cannot wait until they are loaded.
const EAGER_REFUSALS = ["refusals_rules", "refusals_page"];

const locales = readdirSync(SOURCE)
  .filter((name) => name.endsWith(".json"))
  .map((name) => name.replace(".json", ""))
  .sort();
const sections = locales.map((locale) => JSON.parse(readFileSync(`${SOURCE}${locale}.json`, "utf8")));
const catalogues = sections.map((parts) => {
  const names = Object.keys(parts).filter((name) => !WITHOUT_MESSAGES.includes(name));
  return Object.assign({}, ...names.map((name) => parts[name]));
});
const english = catalogues[locales.indexOf("en")];

/** The declaration of a message's parameters. A parameter that decides a plural in any language is a number. */
function paramsOf(key) {
  const texts = catalogues.map((messages) => messages[key]);
  const names = texts.flatMap((text) => [...JSON.stringify(text).matchAll(PARAMETER)].map(([, name]) => name));
  const counted = texts.flatMap((text) => text.plural ?? []);
  const fields = [...new Set([...names, ...counted])].map((name) => `${name}: ${counted.includes(name) ? "number" : "Value"}`);
  return fields.length ? `params: { ${fields.join("; ")} }` : "";
}

function declare(key) {
  const message = english[key];
  const shown = typeof message === "string" ? message : message.other;
  return `/** ${shown} */\nexport declare const ${key}: (${paramsOf(key)}) => string;\n`;
}

function compile(key) {
  const texts = catalogues.map((messages, n) => {
    if (messages[key] === undefined) throw new Error(`${locales[n]}.json lacks the message ${key}`);
    return `  ${JSON.stringify(messages[key])},\n`;
  });
  return `import { fill } from "../../fill";\nexport const ${key} = (params) => fill([\n${texts.join("")}], params);\n`;
}

/** The messages of a family by the rest of their keys: LAYOUT_MESSAGES.sides is m.layout_sides. A new one needs no code. */
function family(name, among = keys, called = `${name}_messages`) {
  const members = among.filter((key) => key.startsWith(`${name}_`));
  const lines = members.map((key) => `  ${key.slice(name.length + 1)}: m.${key},\n`);
  return `import * as m from "./index";\nexport const ${called.toUpperCase()} = {\n${lines.join("")}};\n`;
}

const keys = Object.keys(english);
const names = catalogues.map(({ own_language }) => own_language);
rmSync(TARGET, { recursive: true, force: true });
mkdirSync(`${TARGET}messages`, { recursive: true });
for (const key of keys) writeFileSync(`${TARGET}messages/${key}.js`, compile(key));
writeFileSync(`${TARGET}index.js`, keys.map((key) => `export { ${key} } from "./messages/${key}.js";\n`).join(""));
writeFileSync(`${TARGET}index.d.ts`, `import type { Value } from "../fill";\n${keys.map(declare).join("")}`);
for (const name of FAMILIES) writeFileSync(`${TARGET}${name}.ts`, family(name));
const eager = EAGER_REFUSALS.flatMap((name) => Object.keys(sections[0][name]));
const lazy = keys.filter((key) => !eager.includes(key));
for (const [called, among] of Object.entries({ eager_refusals: eager, lazy_refusals: lazy })) {
  writeFileSync(`${TARGET}${called}.ts`, family("refusal", among, called));
}
writeFileSync(
  `${TARGET}locales.ts`,
  `export const LOCALES = ${JSON.stringify(locales)} as const;\nexport const OWN_NAMES = ${JSON.stringify(names)} as const;\n`,
);
