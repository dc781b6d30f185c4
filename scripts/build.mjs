#!/usr/bin/env node
// build.mjs [--no-native | --server | --target TARGET]: builds the addon, all program bundles, manual, completions, the
// window's page and the notices into out/. For a target it builds only the addon and its libraries.
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { printed } from '../build/install-places.mjs'
import { bootstrap } from './bootstrap.mjs'
import { ensureNodeModules } from './deps/npm.mjs'
import { asciiOnly } from './lib/ascii.mjs'
import { bundleProgram } from './lib/bundle.mjs'
import { packagesOfOutput, writeAccount } from './lib/bundled-packages.mjs'
import { root } from './lib/cache.mjs'
import { Failure, isMain, runMain, step } from './lib/failure.mjs'
import { writeNotices, writeServerNotices } from './lib/notices.mjs'
import { maxFirstBytes, pageSize } from './lib/page-size.mjs'
import { nativeBuild, shippingPreset } from './native-build.mjs'
import { targetBuild } from './target-build.mjs'
import { bundleWebPage, hasModule } from './web-build.mjs'

const bundles = {
  'cli/start.ts': 'cli/thru.cjs',
  'cli/main.ts': 'cli/program.cjs',
  'signaling/main.ts': 'signaling/server.cjs',
  'electron/main/index.ts': 'electron/main.cjs',
  'electron/preload/index.ts': 'electron/preload.cjs',
}

/** Runs a bundler, which prints its own errors; returns the bundled npm packages by program. */
async function bundle(what, work) {
  return step(`bundling ${what}`, () =>
    work().catch(() => {
      throw new Failure(`Bundling ${what} failed. See the error above.`)
    }),
  )
}

const rewriteAscii = (path) => writeFileSync(path, asciiOnly(readFileSync(path, 'utf8')))

async function bundlePrograms(chosen = bundles) {
  // In parallel, so that one run shows the errors of every program.
  const runs = Object.entries(chosen).map(async ([source, target]) => {
    const outfile = join('out', target)
    const output = await bundleProgram(source, outfile)
    // The command's start file requires ASCII.
    if (target === 'cli/program.cjs') rewriteAscii(join(root, outfile))
    return [target, packagesOfOutput(output)]
  })
  const results = await Promise.allSettled(runs)
  const failed = results.find(({ status }) => status === 'rejected')
  if (failed) throw failed.reason
  return Object.fromEntries(results.map(({ value }) => value))
}

/** Copies the database next to the bundles, which load it from there. */
function placeDatabase() {
  const database = 'node-sqlite3-wasm.wasm'
  const source = join(root, 'node_modules/node-sqlite3-wasm/dist', database)
  for (const folder of ['electron', 'cli'])
    copyFileSync(source, join(root, 'out', folder, database))
}

/** Writes the output of `thru man` and `thru completion`, which packages install by build/install-places.mjs. */
function writePrinted() {
  const program = join(root, 'out', 'cli', 'thru.cjs')
  for (const [file, args] of Object.entries(printed)) {
    const path = join(root, file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, execFileSync(process.execPath, [program, ...args]))
  }
}

async function bundlePage() {
  const { build } = await import('vite')
  const { output } = await build({ configFile: join(root, 'vite.config.ts'), logLevel: 'warn' })
  const { first, all } = pageSize(output)
  const inKilobytes = (bytes) => `${Math.round(bytes / 1000)} kB`
  console.log(`  the page: ${inKilobytes(first)} of scripts at first, ${inKilobytes(all)} in total`)
  if (first > maxFirstBytes) {
    console.error(
      `The window waits for ${first} bytes of scripts, but the limit is ${maxFirstBytes}. Use later() to load parts that the first screen doesn't show.`,
    )
    throw new Error('the page is too large')
  }
  return { renderer: packagesOfOutput(output) }
}

/** Builds what changed; `native: false` skips the addon. */
export async function buildAll({ native = true } = {}) {
  if (native) await nativeBuild(shippingPreset, ['thru_addon'])
  const programs = await bundle('the programs', () => bundlePrograms())
  placeDatabase()
  writePrinted()
  const page = await bundle('the page', bundlePage)
  // Only npm run build:web makes the module, which takes minutes the first time.
  const web = hasModule() ? await bundle('the page for browsers', bundleWebPage) : {}
  writeAccount({ ...programs, ...page, ...web })
  writeNotices()
  writeServerNotices()
}

/** Builds only the signaling server, which needs npm packages but no system library. */
async function buildServer() {
  const { 'signaling/main.ts': server } = bundles
  const programs = await bundle('the server', () => bundlePrograms({ 'signaling/main.ts': server }))
  const web = hasModule() ? await bundle('the page for browsers', bundleWebPage) : {}
  writeAccount({ ...programs, ...web })
  writeServerNotices()
}

if (isMain(import.meta.url)) {
  runMain(async () => {
    if (process.argv.includes('--server')) {
      await ensureNodeModules()
      return buildServer()
    }
    await bootstrap('build')
    const [, target] = /^--target[ =](\S+)$/.exec(process.argv.slice(2).join(' ')) ?? []
    if (target) await targetBuild(target)
    else await buildAll({ native: !process.argv.includes('--no-native') })
  })
}
