import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { VitePWA } from "vite-plugin-pwa";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

/** Compresses once, at build time, what the server would otherwise have to send at greater length. */
function compressed(): Plugin {
  let folder = "";
  const compress = (path: string): void => {
    for (const name of readdirSync(path)) {
      const file = join(path, name);
      if (statSync(file).isDirectory()) compress(file);
      else if (/\.(js|css|html|svg|webmanifest)$/.test(name)) {
        const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
        writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file), { params }));
      }
    }
  };
  return {
    name: "compressed",
    apply: "build",
    enforce: "post",
    configResolved: ({ root, build }) => void (folder = join(root, build.outDir)),
    closeBundle: { order: "post", sequential: true, handler: () => compress(folder) },
  };
}

/** The faces are asked for with the page and not only once the style has been read. */
const preloadFonts: Plugin = {
  name: "preload-fonts",
  apply: "build",
  transformIndexHtml: {
    order: "post",
    handler: (_html, { bundle }) =>
      Object.keys(bundle ?? {})
        .filter((name) => name.endsWith(".woff2"))
        .map((name) => ({
          tag: "link",
          attrs: { rel: "preload", href: `/${name}`, as: "font", type: "font/woff2", crossorigin: "" },
          injectTo: "head" as const,
        })),
  },
};

const server = "http://127.0.0.1:8765";

export default defineConfig({
  plugins: [
    svelte(),
    VitePWA({
      registerType: "autoUpdate",
      injectRegister: false,
      manifest: {
        name: "Riverstones",
        short_name: "Riverstones",
        description: "The Kakuro board game: two to four around one board.",
        start_url: "/",
        display: "standalone",
        background_color: "#F6F2E8",
        theme_color: "#F6F2E8",
        icons: [
          { src: "/icon-192.png", sizes: "192x192", type: "image/png" },
          { src: "/icon-512.png", sizes: "512x512", type: "image/png" },
          { src: "/icon-mask-512.png", sizes: "512x512", type: "image/png", purpose: "maskable" },
        ],
      },
      workbox: {
        inlineWorkboxRuntime: true,
        globPatterns: ["**/*.{html,js,css,woff2,svg}"],
        navigateFallback: "/index.html",
        navigateFallbackDenylist: [/^\/api\//],
      },
    }),
    preloadFonts,
    compressed(),
  ],
  build: {
    outDir: "../src/riverstones/server/static",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
  server: { proxy: { "/api": { target: process.env.RIVERSTONES_SERVER ?? server, ws: true } } },
  test: { include: ["tests/**/*.test.ts"], environment: "node" },
});
