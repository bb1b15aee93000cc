import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";
import { offline } from "./offline/plugin.ts";
import { python } from "./offline/python.ts";
import { STATIC, staticSite } from "./offline/static-site.ts";

/** Files for a server only: a static host sends what lies there, as it is. */
const forServers: Plugin["apply"] = (_config, { command, mode }) => command === "build" && mode !== STATIC;

/** Files above this size in bytes are compressed less thoroughly. */
const LARGE = 500_000;

/** Compresses the built files with Brotli, so that the server can send them compressed. */
function compressed(): Plugin {
  let folder = "";
  const compress = (path: string): void => {
    for (const name of readdirSync(path)) {
      const file = join(path, name);
      if (statSync(file).isDirectory()) compress(file);
      else if (/\.(js|mjs|css|html|svg|txt|json|wasm|webmanifest)$/.test(name)) {
        const content = readFileSync(file);
        // The best compression of Pyodide would take longer than the rest of the build.
        const quality = content.length > LARGE ? 9 : constants.BROTLI_MAX_QUALITY;
        writeFileSync(`${file}.br`, brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }));
      }
    }
  };
  return {
    name: "compressed",
    apply: forServers,
    enforce: "post",
    configResolved: ({ root, build }) => void (folder = join(root, build.outDir)),
    closeBundle: { order: "post", sequential: true, handler: () => compress(folder) },
  };
}

/** Packages whose code is in workers alone, which are built apart. */
const IN_WORKERS = ["pyodide"];

/** Writes licences.txt: the licences of all packages whose code or fonts are in the build. */
const licences: Plugin = {
  name: "licences",
  apply: "build",
  generateBundle(_options, bundle) {
    const sources = Object.values(bundle).flatMap((file) => (file.type === "chunk" ? file.moduleIds : file.originalFileNames));
    const folders = sources.flatMap((source) => /node_modules\/((@[^/]+\/)?[^/]+)\//.exec(source)?.[1] ?? []);
    const texts = [...new Set([...folders, ...IN_WORKERS])].sort().map((name) => {
      const folder = resolve("node_modules", name);
      const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
      if (file) return `${name}\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
      const { license, homepage } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Record<string, string>;
      if (license !== "MPL-2.0") throw new Error(`${name} has no licence that could be passed on`);
      return `${name}\n\nMozilla Public License 2.0; the source code is at ${homepage}\n`;
    });
    this.emitFile({ type: "asset", fileName: "licences.txt", source: texts.join(`\n${"-".repeat(80)}\n\n`) });
  },
};

const WORDS = "../src/riverstones/words";

/** Writes the manifest in the other languages, such as manifest.it.webmanifest; public/ has the English one. */
const manifests: Plugin = {
  name: "manifests",
  apply: "build",
  generateBundle() {
    const english = JSON.parse(readFileSync("public/manifest.webmanifest", "utf8")) as object;
    for (const file of readdirSync(WORDS).filter((name) => name.endsWith(".json") && name !== "en.json")) {
      const lang = file.replace(".json", "");
      const { home } = JSON.parse(readFileSync(join(WORDS, file), "utf8")) as { home: { page_description: string } };
      const source = JSON.stringify({ ...english, lang, description: home.page_description }, null, 2);
      this.emitFile({ type: "asset", fileName: `manifest.${lang}.webmanifest`, source });
    }
  },
};

/** Preloads the fonts with the page, so that they do not have to wait for the style sheet. */
function preloadFonts(): Plugin {
  let base = "/";
  return {
    name: "preload-fonts",
    apply: "build",
    configResolved: (config) => void (base = config.base),
    transformIndexHtml: {
      order: "post",
      handler: (_html, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((name) => name.endsWith(".woff2"))
          .map((name) => ({
            tag: "link",
            attrs: { rel: "preload", href: `${base}${name}`, as: "font", type: "font/woff2", crossorigin: "" },
            injectTo: "head" as const,
          })),
    },
  };
}

/**
 * Writes table.html, the page of table links: it preloads the table's files, which the router would request only later.
 * On all other pages early.js gets the list of these files and fetches them when the network is idle.
 */
const tablePage: Plugin = {
  name: "table-page",
  apply: forServers,
  enforce: "post",
  generateBundle(_options, bundle) {
    const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
    const index = bundle["index.html"];
    if (index?.type !== "asset") return;
    const html = String(index.source);
    const files = new Set<string>();
    const gather = (chunk: (typeof chunks)[number] | undefined): void => {
      if (!chunk || chunk.isEntry || files.has(chunk.fileName)) return;
      files.add(chunk.fileName);
      for (const name of chunk.imports) gather(chunks.find(({ fileName }) => fileName === name));
      for (const style of chunk.viteMetadata?.importedCss ?? []) files.add(style);
    };
    gather(chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith("/TablePage.svelte")));
    const told = [...files].map((file) => `/${file}`).filter((file) => !html.includes(file));
    const rel = (file: string) => (file.endsWith(".css") ? "stylesheet" : "modulepreload");
    const links = told.map((file) => `<link rel="${rel(file)}" crossorigin href="${file}">`).join("\n    ");
    const fonts = html.indexOf('<link rel="preload"');
    this.emitFile({ type: "asset", fileName: "table.html", source: html.slice(0, fonts) + links + "\n    " + html.slice(fonts) });
    index.source = html.replace('src="/early.js"', `src="/early.js" data-table="${told.join(" ")}"`);
  },
};

/** Loads all messages as one module in tests: each test file loads them anew, and over a thousand modules take a second. */
const messagesAtOnce: Plugin = {
  name: "messages-at-once",
  apply: () => process.env.VITEST !== undefined,
  enforce: "pre",
  load(id) {
    if (!id.endsWith("/src/words/generated/index.js")) return;
    const folder = id.replace("index.js", "messages");
    const messages = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8").replace(/^import .*\n/, ""));
    return `import { fill } from "../fill";\n${messages.join("")}`;
  },
};

/** What the first page shares with tables; it loads nothing else of theirs before it is shown. */
const BASE =
  /node_modules\/(svelte|clsx|esm-env)\/|vite\/preload-helper|src\/(words\/(fill|locale)\.|lib\/(settings|storage|kept_offline|links|hosting|api|players)|protocol\/limits|play\/local\/ids|board\/(Tile|Pebble|geometry|motion)|parts\/(Icon|Dialog))/;
const BASE_WORDS =
  /src\/words\/generated\/(locales|level|messages\/(level_\w+|free_seat|refusal_offline|variant_expert|variant_standard))\./;
/** Messages that a table shares with the lessons, the rules and the replay. */
const SHARED_WORDS =
  /messages\/(board|choose_square|choose_tile|claims_points|connecting|copied|moves|objection_fails|objection_upheld|open_rules|part_not_loaded|points|refusal_(?:not_started|paused|table_over)|replay_(?:back|next|start|turn)|scores_nothing|sound|table_terms|take_back|time_ran_out|turn_over)\.js$/;
const BOARD =
  /src\/(rules|board|parts\/MovePicture|play\/(show|handling|nearmiss|taps|past|position|Hand|PastBar|DragLayer)|lib\/(origin|words|refusals|sound|share|table_options))/;

/** Code that several pages share goes into few files: on a phone each further file costs a round trip. */
const FEW_FILES = [
  {
    name: "base",
    priority: 2,
    test: (id: string) => BASE.test(id) || BASE_WORDS.test(id),
  },
  {
    name: "board",
    priority: 1,
    test: (id: string) => BOARD.test(id) || SHARED_WORDS.test(id),
    includeDependenciesRecursively: true,
  },
];

const server = "http://127.0.0.1:8765";

export default defineConfig({
  // Pyodide has parts for Node.js, which no browser loads.
  worker: { format: "es", plugins: () => [python()], rolldownOptions: { external: /^node:/ } },
  plugins: [
    svelte(),
    python(),
    messagesAtOnce,
    preloadFonts(),
    tablePage,
    licences,
    manifests,
    staticSite,
    offline(),
    compressed(),
  ],
  build: {
    outDir: "../src/riverstones/server/static",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: {
      checks: { bundlerTimings: false },
      // Without this, the first chunk that uses a message would contain the messages of every page.
      treeshake: { moduleSideEffects: [{ test: /src\/words\//, sideEffects: false }] },
      output: { codeSplitting: { groups: FEW_FILES } },
    },
  },
  // The puzzle file lies in the Python package, which ships it as well; the documentation has the figures of the rules.
  server: {
    fs: { allow: [".", "../src/riverstones/study", "../docs"] },
    proxy: { "/api": { target: process.env.RIVERSTONES_SERVER ?? server, ws: true } },
  },
  // Some tests import all messages anew, which takes seconds on a busy machine.
  test: { include: ["tests/**/*.test.ts"], environment: "node", testTimeout: 20_000 },
});
