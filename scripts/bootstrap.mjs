#!/usr/bin/env node
// bootstrap.mjs [build|start|test|windows|arm64|web|package|package-windows|packages]: installs all that a clean checkout
// needs, in under a second if nothing is missing. It can import only Node's modules until npm packages are installed.
import { ensureAptPackages, offerAptPackages } from './deps/apt.mjs'
import { offerNostrRelay } from './deps/nostr-relay.mjs'
import { ensureNodeModules } from './deps/npm.mjs'
import { offerPromtool } from './deps/promtool.mjs'
import { distributionOf, readOsRelease } from './deps/sources.mjs'
import { compareVersions } from './deps/version.mjs'
import { Failure, isMain, runMain } from './lib/failure.mjs'
import { nativeDeps } from './native-deps.mjs'

const oldestNode = '20.19.0'
const groupsFor = {
  build: ['build'],
  start: ['build', 'app'],
  test: ['build', 'app', 'test'],
  windows: ['build', 'app', 'test', 'windows', 'package-windows'],
  arm64: ['build', 'app', 'test', 'package', 'arm64'],
  web: ['build', 'app', 'test', 'browsers'],
  package: ['build', 'app', 'package'],
  'package-windows': ['build', 'app', 'package-windows'],
  packages: ['build', 'app', 'package', 'packages'],
}

/** Throws unless this version of Node can build and run the project. */
export function checkNode(version = process.versions.node) {
  if (compareVersions(version, oldestNode) >= 0) return
  throw new Failure(
    `Node ${version} is too old: install Node ${oldestNode} or newer and try again.`,
  )
}

/** Prepares the machine for a key of `groupsFor`; 'windows', 'arm64', 'web' and 'packages' are for their tests. */
export async function bootstrap(purpose) {
  checkNode()
  if (!groupsFor[purpose]) {
    const known = Object.keys(groupsFor).join(', ')
    throw new Failure(`bootstrap takes ${known}, not "${purpose}".`)
  }
  if (process.platform === 'linux' && distributionOf(readOsRelease())) {
    await ensureAptPackages(groupsFor[purpose])
    if (purpose === 'test') {
      for (const group of ['proxies', 'routers', 'redis', 'services', 'shells']) {
        await offerAptPackages(group)
      }
      await offerPromtool()
      await offerNostrRelay()
    }
  }
  await ensureNodeModules()
  await nativeDeps()
  if (purpose === 'build') return
  const { electronRuntime } = await import('./electron-runtime.mjs')
  await electronRuntime()
}

if (isMain(import.meta.url)) runMain(() => bootstrap(process.argv[2] ?? 'build'))
