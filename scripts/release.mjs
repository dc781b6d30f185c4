#!/usr/bin/env node
/*
 * release.mjs: what makes a release, in the steps of .github/workflows/release.yml; docs/releasing.md has the whole way.
 *
 *   release.mjs check TAG          fails unless the tag and the changelog are those of the version
 *   release.mjs contents TARGET    lists what is in the packages of a target, as linux-x64 (CycloneDX), in out/release
 *   release.mjs gather             writes notes and checksums for all files of out/release
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { nodeTargets, nodeVersion } from './deps/node-runtime.mjs'
import { targets } from './deps/targets.mjs'
import { electronRuntime } from './electron-runtime.mjs'
import { bundledPackages } from './lib/bundled-packages.mjs'
import { root } from './lib/cache.mjs'
import { readVersions } from './lib/changelog.mjs'
import { librariesOfCompiler, sqliteVersion } from './lib/compiled-in.mjs'
import { Failure, isMain, runMain } from './lib/failure.mjs'
import { nativeLibraries } from './lib/native-libraries.mjs'
import { buildDir, shippingPreset, vcpkgPrefix } from './native-build.mjs'
import { nativeDeps } from './native-deps.mjs'
import { checkVersion, releaseNotes, writeChecksums } from './release/documents.mjs'
import { sbomOf, versionsOfElectron } from './release/sbom.mjs'
import { targetDeps } from './target-deps.mjs'

const folder = join(root, 'out', 'release')

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** The commit, whose time is that of everything which is made of it. */
function readCommit() {
  const [hash, seconds] = execFileSync('git', ['log', '-1', '--format=%H %ct'], { cwd: root })
    .toString()
    .trim()
    .split(' ')
  return { hash, time: new Date(Number(seconds) * 1000) }
}

/**
 * The addon that a target's packages have, in its folder, the prefix of the libraries that it was linked with, and the kind of
 * compiler for other systems that made it.
 */
async function nativeOf(target) {
  const released = `out/native/${target}`
  const [path] = [released, `out/package/${target}/native`, 'out/native'].filter((one) =>
    existsSync(join(root, one, 'thruflux.node')),
  )
  if (path === undefined) throw new Failure('There is no addon yet: npm run build comes first.')
  const folder = join(root, path)
  // On other systems than Linux, libraries come from vcpkg, the same for every processor.
  if (process.platform !== 'linux') return { folder, prefix: vcpkgPrefix(buildDir(shippingPreset)) }
  const { prefix } = await (path === released ? targetDeps(target) : nativeDeps())
  return { folder, prefix, compiler: path === released ? targets[target]?.kind : undefined }
}

/** `thru` alone has a Node of its own, where there is one for its target. */
const nodeOf = (target) => (nodeTargets.includes(target) ? nodeVersion : undefined)

async function writeContents(target) {
  const native = await nativeOf(target)
  const libraries = [...nativeLibraries(native), ...librariesOfCompiler(native.compiler)]
  const electron = await electronRuntime()
  const text = await sbomOf({
    ...{ target, version, commit: readCommit(), libraries, packages: bundledPackages() },
    electron: { ...electron, versions: versionsOfElectron(electron.executable) },
    ...{ node: nodeOf(target), sqlite: sqliteVersion() },
  })
  const file = `thruflux-${version}-${target}.cdx.json`
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, file), text)
}

/** Writes what stands beside the packages. */
async function gather() {
  mkdirSync(folder, { recursive: true })
  const changes = readVersions().find((one) => one.version === version)
  writeFileSync(
    join(folder, 'release-notes.md'),
    releaseNotes({ version, text: changes?.text ?? '' }),
  )
  await writeChecksums(folder)
}

async function main() {
  const [what, value] = process.argv.slice(2)
  if (what === 'check' && value) checkVersion({ version, tag: value, changelog: readVersions() })
  else if (what === 'contents' && value) await writeContents(value)
  else if (what === 'gather') await gather()
  else
    throw new Failure(
      'release.mjs takes check TAG, contents TARGET or gather: see its first lines.',
    )
}

if (isMain(import.meta.url)) runMain(main)
