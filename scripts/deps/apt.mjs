// System packages of Debian and Ubuntu: installed if running as root, otherwise named in the command to install them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../lib/cache.mjs'
import { Failure, step } from '../lib/failure.mjs'
import { capture, runLogged } from '../lib/run.mjs'

/**
 * Groups of apt-packages.json: packages for building, the app, the tests, tests for Windows, ARM64 and browsers,
 * packaging, and package tests; `new|old` is one package with either name. Tests work without `proxies`, `routers`, `redis`,
 * `services` and `shells`.
 * @type {Record<'build' | 'app' | 'test' | 'proxies' | 'routers' | 'redis' | 'services' | 'shells' | 'windows' | 'arm64' | 'browsers' | 'package' | 'package-windows' | 'packages', string[]>}
 */
export const aptPackages = JSON.parse(
  readFileSync(new URL('./apt-packages.json', import.meta.url), 'utf8'),
)

/** Returns the names of `wanted` that `installed` lacks; alternatives count as one. */
export function missingPackages(wanted, installed) {
  return wanted.filter((names) => !names.split('|').some((name) => installed.has(name)))
}

/**
 * Returns the name that this suite's package lists have for each of `wanted`. Without lists, libraries renamed for
 * 64-bit times reveal the suite's age (Debian 13, Ubuntu 24.04).
 * @param {string} names
 * @param {Set<string>} installed
 * @param {(name: string) => boolean} isKnown
 * @returns {string}
 */
export function nameOnThisSuite(names, installed, isKnown) {
  const alternatives = names.split('|')
  if (alternatives.length === 1) return names
  const isNew = [...installed].some((name) => name.endsWith('t64'))
  return alternatives.find(isKnown) ?? alternatives.at(isNew ? 0 : -1)
}

/** Returns the command that an ordinary user must run, with sudo or su. */
export function installCommand(names, hasSudo) {
  const command = `apt-get update && ${hasSudo ? 'sudo ' : ''}apt-get install --no-install-recommends ${names.join(' ')}`
  return hasSudo ? `sudo ${command}` : `su -c '${command}'`
}

function installedPackages() {
  const list = capture('dpkg-query', ['-W', '-f', '${db:Status-Status} ${Package}\n']) ?? ''
  const lines = list.split('\n').map((line) => line.split(' '))
  return new Set(lines.filter(([status]) => status === 'installed').map(([, name]) => name))
}

const isKnownToApt = (name) => Boolean(capture('apt-cache', ['show', '--no-all-versions', name]))

/** Ensures that the packages of these groups are installed; without root it throws a Failure with the command. */
export function ensureAptPackages(groups) {
  return ensurePackages(groups.flatMap((group) => aptPackages[group]))
}

/** Ensures that packages are installed by name. */
export async function ensurePackages(wanted) {
  const installed = installedPackages()
  const missing = missingPackages(wanted, installed)
  if (missing.length === 0) return
  const chooseNames = () => missing.map((names) => nameOnThisSuite(names, installed, isKnownToApt))
  if (process.getuid() !== 0) {
    const hasSudo = capture('sh', ['-c', 'command -v sudo']) !== undefined
    throw new Failure(
      `System packages are missing. Install them with this command, then try again:\n\n  ${installCommand(chooseNames(), hasSudo)}\n`,
    )
  }
  const log = join(root, 'out', 'apt.log')
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  await step('updating the package lists', () =>
    runLogged('updating the package lists', 'apt-get', ['-q', 'update'], { log, env }),
  )
  const names = chooseNames()
  await step(`installing ${names.join(' ')}`, () =>
    runLogged(
      'installing system packages',
      'apt-get',
      ['-q', '-y', '--no-install-recommends', 'install', ...names],
      { log, env },
    ),
  )
}

/**
 * Installs packages whose absence only skips tests, if this is root and the system has them; otherwise prints what is
 * skipped. `ensure` installs packages or throws a Failure.
 */
export async function offerAptPackages(group, ensure = ensurePackages) {
  const names = aptPackages[group]
  try {
    await ensure(names)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    console.log(
      `  Tests that need ${names.join(' or ')} are skipped: these packages are not installed.`,
    )
  }
}
