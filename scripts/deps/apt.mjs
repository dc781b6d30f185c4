// The system packages of Debian and Ubuntu: installed when root, else named in the command that installs them.
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Failure, step } from '../lib/failure.mjs'
import { capture, runLogged } from '../lib/run.mjs'

/** Groups of apt-packages.json: what a build, the app and the tests need; `a|b` is one package by either name. */
export const aptPackages = JSON.parse(
  readFileSync(new URL('./apt-packages.json', import.meta.url), 'utf8'),
)

/** The names of `wanted` that `installed` lacks; alternatives count as one. */
export function missingPackages(wanted, installed) {
  return wanted.filter((names) => !names.split('|').some((name) => installed.has(name)))
}

function installedPackages() {
  const list = capture('dpkg-query', ['-W', '-f', '${db:Status-Status} ${Package}\n']) ?? ''
  const lines = list.split('\n').map((line) => line.split(' '))
  return new Set(lines.filter(([status]) => status === 'installed').map(([, name]) => name))
}

/** The first of the alternatives that this system's package lists know. */
function knownName(names) {
  const alternatives = names.split('|')
  return alternatives.find((name) => capture('apt-cache', ['show', name])) ?? alternatives.at(-1)
}

/** Makes sure that the packages of these groups are installed; throws a Failure that says how where it may not. */
export async function ensureAptPackages(groups) {
  const wanted = groups.flatMap((group) => aptPackages[group])
  const missing = missingPackages(wanted, installedPackages())
  if (missing.length === 0) return
  if (process.getuid() !== 0) {
    const names = missing.map(knownName).join(' ')
    throw new Failure(
      `System packages are missing. Install them, then try again:\n  sudo apt-get install ${names}`,
    )
  }
  const log = join(mkdtempSync(join(tmpdir(), 'thruflux-apt-')), 'apt.log')
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  await step('updating the package lists', () =>
    runLogged('updating the package lists', 'apt-get', ['-q', 'update'], { log, env }),
  )
  const names = missing.map(knownName)
  await step(`installing ${names.join(' ')}`, () =>
    runLogged(
      'installing system packages',
      'apt-get',
      ['-q', '-y', '--no-install-recommends', 'install', ...names],
      { log, env },
    ),
  )
}
