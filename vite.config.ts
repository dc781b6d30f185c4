import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { firstChunks } from './scripts/lib/page-size.mjs'

/** Lets the page fetch all scripts of its first picture at once, and not each when another names it. */
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

// Relative addresses, so that the page works from a file and from the app's own scheme alike.
export default defineConfig({
  root: 'renderer',
  base: './',
  plugins: [react(), preloadFirst],
  build: {
    outDir: '../out/renderer',
    emptyOutDir: true,
    target: 'chrome108',
    // The page's content policy takes fonts from files only, also small ones.
    assetsInlineLimit: 0,
    // scripts/lib/page-size.mjs has the limit that counts.
    chunkSizeWarningLimit: 1000,
  },
})
