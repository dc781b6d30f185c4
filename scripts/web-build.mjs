#!/usr/bin/env node
// web-build.mjs: builds the engine's receiver as WebAssembly (target-build.mjs web), and the page around it into out/web,
// compressed. The embedded signaling server shows this page to browsers.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { ensureAptPackages } from './deps/apt.mjs'
import { ensureNodeModules } from './deps/npm.mjs'
import { addToAccount, packagesOfOutput } from './lib/bundled-packages.mjs'
import { root } from './lib/cache.mjs'
import { Failure, isMain, runMain, step } from './lib/failure.mjs'
import { targetBuild, targetOutput } from './target-build.mjs'
import { buildsTargets } from './target-deps.mjs'

const output = join(root, 'out', 'web')

/** Limits for the compressed module, and for all other compressed files of the page, in bytes. */
export const maxModuleBytes = 900_000
export const maxOtherBytes = 200_000

/** True if the module is built, and with it the page can be. */
export const hasModule = () => existsSync(join(targetOutput('web'), 'thruflux.wasm'))

/** Bundles the page around the module; returns the bundled npm packages, as `bundlePage` of build.mjs does. */
export async function bundleWebPage() {
  const { build } = await import('vite')
  const made = await build({ configFile: join(root, 'vite.web.config.ts'), logLevel: 'warn' })
  const files = readdirSync(output).filter((name) => !name.endsWith('.gz'))
  let others = 0
  for (const name of files) {
    const path = join(output, name)
    const content = readFileSync(path)
    const small = gzipSync(content, { level: 9 })
    if (!name.endsWith('.wasm')) others += small.length
    else if (small.length > maxModuleBytes)
      throw new Failure(`${name} has ${small.length} bytes; the limit is ${maxModuleBytes}.`)
    writeFileSync(`${path}.gz`, small)
    rmSync(path)
  }
  console.log(`  the page for browsers: ${Math.round(others / 1000)} kB besides the module`)
  if (others > maxOtherBytes)
    throw new Failure(`The page has ${others} compressed bytes; the limit is ${maxOtherBytes}.`)
  return { web: packagesOfOutput(made.output) }
}

/** Builds the module, and then the page. */
export async function webBuild() {
  await targetBuild('web')
  addToAccount(await step('bundling the page for browsers', bundleWebPage))
}

if (isMain(import.meta.url))
  runMain(async () => {
    if (buildsTargets()) await ensureAptPackages(['build'])
    await ensureNodeModules()
    await webBuild()
  })
