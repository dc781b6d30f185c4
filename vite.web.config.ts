import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// The signaling server shows this page at /join, and its other files below /page/ (signaling/pages/web-page.ts).
export default defineConfig({
  root: 'web',
  base: '/page/',
  plugins: [react()],
  worker: { format: 'es' },
  build: {
    outDir: '../out/web',
    emptyOutDir: true,
    assetsDir: '',
    // The oldest browsers with everything that the module needs, SIMD above all.
    target: ['chrome108', 'firefox115', 'safari16.4'],
    // The page's content policy allows only files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
})
