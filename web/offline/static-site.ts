/** The static build, `vite build --mode static`: files that any web space can offer, in any folder. */

import { basename } from "node:path";
import type { Plugin } from "vite";

/** The name of this mode of the build; src/lib/hosting.ts asks for it. */
export const STATIC = "static";

/** The content security policy of the server (http/middleware.py), less `frame-ancestors`, which a page cannot set. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "media-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
].join("; ");

export const staticSite: Plugin = {
  name: "static-site",
  apply: (_config, { command, mode }) => command === "build" && mode === STATIC,
  config: () => ({ base: "./", build: { outDir: "../build/static" } }),
  transformIndexHtml: {
    order: "post",
    // After the character set, which must be within the first bytes, and before everything that it rules.
    handler: (html) =>
      html.replace(
        '<meta charset="utf-8" />',
        `$&
    <meta http-equiv="content-security-policy" content="${POLICY}" />
    <meta name="referrer" content="same-origin" />`,
      ),
  },
  generateBundle(_options, bundle) {
    // Pages that need a server are no longer imported, but the bundler has made their files.
    const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
    const wanted = new Set<string>();
    const gather = (chunk: (typeof chunks)[number] | undefined): void => {
      if (!chunk || wanted.has(chunk.fileName)) return;
      wanted.add(chunk.fileName);
      for (const style of chunk.viteMetadata?.importedCss ?? []) wanted.add(style);
      const imported = chunk.dynamicImports.filter((name) => chunk.code.includes(basename(name)));
      for (const name of [...chunk.imports, ...imported]) gather(chunks.find(({ fileName }) => fileName === name));
    };
    chunks.filter(({ isEntry }) => isEntry).forEach(gather);
    for (const { fileName, viteMetadata } of chunks)
      for (const name of [fileName, ...(viteMetadata?.importedCss ?? [])]) if (!wanted.has(name)) delete bundle[name];
    // GitHub Pages would otherwise run its site generator over the files.
    this.emitFile({ type: "asset", fileName: ".nojekyll", source: "" });
  },
};
