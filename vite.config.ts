import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// Relative addresses, so that the page works from a file and from the app's own scheme alike.
export default defineConfig({
  root: 'renderer',
  base: './',
  plugins: [react()],
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
