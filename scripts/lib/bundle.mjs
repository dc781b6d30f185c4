// Bundles programs for Node and Electron, each into one CommonJS file with a source map.
import { basename, dirname, resolve } from 'node:path'
import { root } from './cache.mjs'

/**
 * Bundles `source` and every package that it imports into `file`; both paths are relative to the checkout or absolute. The
 * default target is the Node of the oldest supported Electron. Returns Vite's output.
 * @param {string} source
 * @param {string} file
 * @param {string} target
 */
export async function bundleProgram(source, file, target = 'node16') {
  const { build } = await import('vite')
  const { output } = await build({
    ...{ configFile: false, logLevel: 'warn', root, publicDir: false },
    // ws loads the two faster helpers if the user has installed them.
    ssr: { noExternal: true, external: ['electron', 'bufferutil', 'utf-8-validate'] },
    build: {
      ...{ ssr: source, target, minify: false, sourcemap: true, emptyOutDir: false },
      outDir: resolve(root, dirname(file)),
      rolldownOptions: {
        output: { format: 'cjs', entryFileNames: basename(file), codeSplitting: false },
      },
    },
  })
  return output
}
