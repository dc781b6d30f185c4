import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { firstChunks } from './scripts/lib/page-size.mjs'

/** Makes the page fetch all scripts of its first view in parallel, not one after another. */
const preloadFirst: Plugin = {
  name: 'preload-first',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle = {} }) =>
      (firstChunks(Object.values(bundle)) as string[])
        .filter((file) => !html.includes(file))
        .map((file) => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: true, href: `./${file}` },
          injectTo: 'head' as const,
        })),
  },
}

// Relative addresses work both from a file and from the app's own scheme.
export default defineConfig({
  root: 'renderer',
  base: './',
  plugins: [react(), preloadFirst],
  build: {
    outDir: '../out/renderer',
    emptyOutDir: true,
    target: 'chrome108',
    // The page's content policy allows fonts only from files, even small ones.
    assetsInlineLimit: 0,
    // The enforced limit is in scripts/lib/page-size.mjs.
    chunkSizeWarningLimit: 1000,
  },
})
