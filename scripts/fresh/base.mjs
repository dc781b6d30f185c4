// A minimal Debian with git and Node, for scripts/fresh.mjs.
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { distributionOf, mirrorOf, readOsRelease } from '../deps/sources.mjs'
import { step } from '../lib/failure.mjs'
import { capture, runLogged } from '../lib/run.mjs'

/** Suites that a fresh checkout must work on. bookworm's Node is too old, so it gets this machine's. */
export const suites = ['trixie', 'bookworm']
const suitesWithNode = new Set(['trixie'])

/** The oldest system for trying packages. Nothing is built there: it has only debootstrap's packages. */
export const oldestSuite = 'bullseye'

/** Copies this machine's file or folder, if it exists, to the same path in the new system; links stay links. */
function copySame(path, system) {
  if (!existsSync(path)) return
  execFileSync('cp', ['-r', '--remove-destination', path, dirname(join(system, path))])
}

/** Copies this machine's settings for package registries. */
function copySettings(system) {
  for (const path of ['/etc/resolv.conf', '/etc/hosts', '/etc/ssl/certs', '/etc/pip.conf'])
    copySame(path, system)
  const settings = '/etc/apt/apt.conf.d'
  for (const name of readdirSync(settings)) {
    const file = join(settings, name)
    if (/^\s*Acquire/m.test(readFileSync(file, 'utf8'))) copySame(file, system)
  }
  for (const name of ['.pip/pip.conf', '.config/pip/pip.conf']) {
    const file = join(homedir(), name)
    if (existsSync(file)) cpSync(file, join(system, 'root', name))
  }
  const npmrc = join(system, 'root/.npmrc')
  for (const kind of ['globalconfig', 'userconfig']) {
    const file = capture('npm', ['config', 'get', kind], { cwd: '/' })
    if (!file || !existsSync(file)) continue
    // This machine's Node headers don't exist there.
    appendFileSync(npmrc, `${readFileSync(file, 'utf8').replace(/^nodedir.*$/m, '')}\n`)
  }
  const registry = capture('npm', ['config', 'get', 'registry'], { cwd: '/' })
  if (registry) appendFileSync(npmrc, `registry=${registry}\n`)
}

function copyNode(system) {
  const modules = capture('npm', ['root', '--global'], { cwd: '/' })
  const target = join(system, 'usr/local')
  cpSync(process.execPath, join(target, 'bin/node'))
  cpSync(join(modules, 'npm'), join(target, 'lib/node_modules/npm'), { recursive: true })
}

async function installNode(suite, system, log) {
  const chroot = (what, ...command) => runLogged(what, 'chroot', [system, ...command], { log })
  await chroot('updating the package lists', 'apt-get', '-q', 'update')
  if (suitesWithNode.has(suite)) {
    const install = ['apt-get', '-q', '-y', '--no-install-recommends', 'install', 'nodejs', 'npm']
    await chroot('installing Node', 'env', 'DEBIAN_FRONTEND=noninteractive', ...install)
    return
  }
  copyNode(system)
  for (const name of ['npm', 'npx']) {
    const program = `../lib/node_modules/npm/bin/${name}-cli.js`
    await chroot('installing npm', 'ln', '-sf', program, `/usr/local/bin/${name}`)
  }
}

/** Creates a suite's base system in `folder` if missing, and returns the folder. */
export async function makeBase(suite, folder) {
  if (existsSync(folder)) return folder
  const partial = `${folder}.partial`
  const log = `${folder}.log`
  rmSync(partial, { recursive: true, force: true })
  mkdirSync(dirname(folder), { recursive: true })
  await step(`making a fresh ${suite}`, async () => {
    const mirror = distributionOf(readOsRelease()) === 'debian' ? [mirrorOf('debian')] : []
    const isForBuilding = suite !== oldestSuite
    const options = [
      '--variant=minbase',
      ...(isForBuilding ? ['--include=ca-certificates,git'] : []),
    ]
    await runLogged('debootstrap', 'debootstrap', [...options, suite, partial, ...mirror], { log })
    if (!isForBuilding) return
    copySettings(partial)
    await installNode(suite, partial, log)
  })
  renameSync(partial, folder)
  return folder
}
