#!/usr/bin/env node
/*
 * release.mjs: what makes a release, in the steps of .github/workflows/release.yml; docs/releasing.md has the whole way.
 *
 *   release.mjs check [--tag v1.2.0]     says whether this checkout may be released; exit code 1 if not
 *   release.mjs contents TARGET          lists what is in the packages of a target, as linux-x64 (CycloneDX), in out/release
 *   release.mjs gather                   writes notes, provenance, what is to be signed and checksums for all files of out/release
 *   release.mjs --dry-run [--no-packages]   all of it with what this system can build, whatever the checks say; manifests are
 *                                        signed with a key that is thrown away
 */
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { nodeTargets, nodeVersion } from './deps/node-runtime.mjs'
import { targets } from './deps/targets.mjs'
import { electronRuntime } from './electron-runtime.mjs'
import { bundledPackages } from './lib/bundled-packages.mjs'
import { hashOfFile, root } from './lib/cache.mjs'
import { readVersions } from './lib/changelog.mjs'
import { librariesOfCompiler, sqliteVersion } from './lib/compiled-in.mjs'
import { Failure, isMain, runMain, step } from './lib/failure.mjs'
import { nativeLibraries } from './lib/native-libraries.mjs'
import { capture, runVisible } from './lib/run.mjs'
import { buildDir, shippingPreset, vcpkgPrefix } from './native-build.mjs'
import { nativeDeps } from './native-deps.mjs'
import {
  hashFiles,
  provenance,
  releaseFiles,
  releaseNotes,
  writeChecksums,
} from './release/documents.mjs'
import { makeKey } from './release/make-key.mjs'
import { readiness, readState } from './release/readiness.mjs'
import { sbomOf, versionsOfElectron } from './release/sbom.mjs'
import { signRelease } from './release/sign-release.mjs'
import { manifestsOf } from './release/updates.mjs'
import { targetDeps } from './target-deps.mjs'

const folder = join(root, 'out', 'release')
const packages = join(root, 'out', 'packages')

const packageEnding = /\.(AppImage|deb|rpm|tar\.[gx]z|exe|zip|dmg|pkg|flatpak)$/

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const changes = () => readVersions().find((one) => one.version === version) ?? { text: '' }

/** The commit, whose time is that of everything which is made of it. */
function readCommit() {
  const [hash, seconds] = execFileSync('git', ['log', '-1', '--format=%H %ct'], { cwd: root })
    .toString()
    .trim()
    .split(' ')
  return { hash, seconds, time: new Date(Number(seconds) * 1000) }
}

/** Prints all checks; true when nothing is wrong. */
function check(tag) {
  const results = readiness(readState({ tag }))
  for (const { name, problem } of results)
    console.log(problem ? `  NOT YET  ${name}: ${problem}` : `  yes      ${name}`)
  return results.every(({ problem }) => problem === undefined)
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

/** Sources by the lists of contents that are there. */
function sourcesOf(names) {
  const references = names
    .filter((name) => name.endsWith('.cdx.json'))
    .flatMap((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')).components)
    .flatMap(({ externalReferences = [] }) => externalReferences)
    .filter(({ type }) => type === 'source-distribution')
    .map(({ url, hashes: [{ content }] }) => [url, content])
  return [...new Map(references.sort())].map(([name, sha256]) => ({ name, sha256 }))
}

/** Writes what stands beside the packages. */
async function gather() {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'release-notes.md'), releaseNotes({ version, text: changes().text }))
  const isOurs = (name) => packageEnding.test(name) || name.endsWith('.cdx.json')
  const names = releaseFiles(folder).filter(isOurs)
  const manifests = manifestsOf(names, version)
  writeFileSync(
    join(folder, 'updates-to-sign.json'),
    `${JSON.stringify(manifests, undefined, 2)}\n`,
  )
  const statement = provenance({
    ...{ version, commit: readCommit(), files: await hashFiles(folder, names) },
    ...{ sources: sourcesOf(names), lockHash: hashOfFile(join(root, 'package-lock.json')) },
    tools: { node: process.versions.node, cc: capture('cc', ['-dumpfullversion']) ?? 'none' },
  })
  writeFileSync(join(folder, `thruflux-${version}.intoto.json`), statement)
  await writeChecksums(folder)
}

/** Signs as the key's holder would, with a key that nobody keeps: shows that what is to be signed can be. */
async function trySigning() {
  const work = mkdtempSync(join(tmpdir(), 'thruflux-release-'))
  try {
    const signers = [makeKey(join(work, 'key.pem'))]
    const terms = {
      published: readCommit()
        .time.toISOString()
        .replace(/\.\d+Z$/, 'Z'),
    }
    const out = join(work, 'feed')
    const paths = await signRelease({ folder, out, signers, terms })
    return paths.map((path) => relative(out, path))
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** Packages that are made of a target's addon, which takes a build for that target; those of the own system need none. */
const cliTargets = nodeTargets.map((target) => ({
  what: `thru alone for ${target}`,
  target,
  command: ['npm', 'run', 'package', '--', '--thru', target],
}))

/** Makes what this system can, into out/release; says what it can't, and why. */
async function buildPackages() {
  const { kind } = await electronRuntime()
  const substitute = kind === 'official' ? [] : ['--substitute-runtime']
  const system = { win32: '--win', darwin: '--mac' }[process.platform] ?? '--linux'
  const jobs = [
    {
      what: `packages for ${process.platform}`,
      command: ['npm', 'run', 'package', '--', system, ...substitute],
    },
    ...cliTargets,
  ]
  const env = { ...process.env, SOURCE_DATE_EPOCH: readCommit().seconds }
  const skipped = []
  for (const { what, target, command } of jobs) {
    if (target && !existsSync(join(root, 'out/native', target, 'thruflux.node'))) {
      skipped.push(`${what}: node scripts/build.mjs --target ${target} comes first`)
      continue
    }
    const [program, ...args] = command
    await step(what, () => runVisible(what, program, args, { cwd: root, env }))
  }
  for (const name of readdirSync(packages))
    if (packageEnding.test(name) && name.includes(version))
      copyFileSync(join(packages, name), join(folder, name))
  const others = ['linux', 'win32', 'darwin'].filter((platform) => platform !== process.platform)
  return [
    ...skipped,
    ...others.map((platform) => `packages for ${platform}: the workflow makes them`),
  ]
}

async function dryRun({ withPackages }) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  console.log(`\nMay ${version} be released from this checkout?`)
  const ready = check()
  const skipped = withPackages ? await buildPackages() : ['packages: --no-packages']
  await writeContents(`${process.platform}-${process.arch}`)
  await gather()
  const signed = await trySigning()
  console.log(`\nIn out/release:`)
  for (const name of readdirSync(folder).sort()) console.log(`  ${name}`)
  console.log(`\nSigned with a key that is gone: ${signed.join(', ') || 'nothing'}`)
  console.log(`Left out:\n${skipped.map((what) => `  ${what}\n`).join('')}`)
  console.log(
    ready ? 'It could be released.' : 'It could not be released yet: see "NOT YET" above.',
  )
}

async function main() {
  const { values, positionals } = parseArgs({
    options: {
      'dry-run': { type: 'boolean' },
      'no-packages': { type: 'boolean' },
      tag: { type: 'string' },
    },
    allowPositionals: true,
  })
  const [what, target] = positionals
  if (values['dry-run'] && what === undefined)
    await dryRun({ withPackages: !values['no-packages'] })
  else if (what === 'check') process.exitCode = check(values.tag) ? 0 : 1
  else if (what === 'contents' && target) await writeContents(target)
  else if (what === 'gather') await gather()
  else
    throw new Failure(
      'release.mjs takes check, contents TARGET, gather or --dry-run: see its first lines.',
    )
}

if (isMain(import.meta.url)) runMain(main)
