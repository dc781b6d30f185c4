// Makes the package for Debian, Ubuntu and their derivatives.
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { debianPlaces, linuxPlaces } from '../../../build/install-places.mjs'
import { root } from '../../lib/cache.mjs'
import { runLogged } from '../../lib/run.mjs'
import { plainModes, sourceDate } from '../archive.mjs'
import { placeFiles } from '../place-files.mjs'
import { product } from '../product.mjs'
import { description } from './about.mjs'
import { debianPackages, neededBy } from './libraries.mjs'
import { evenTimes } from './times.mjs'
import { appFolder } from './tree.mjs'

/**
 * Debian's names of architectures.
 * @type {Record<string, string>}
 */
const architectures = { x64: 'amd64', arm64: 'arm64' }

/** Optional: for opening links and folders, for notifications, and for the tray icon. */
const recommended = ['xdg-utils', 'libnotify4', 'libsecret-1-0']

/**
 * Sorts a pre-release before its release: 1.2.0-beta.1 becomes 1.2.0~beta.1.
 * @param {string} version
 */
export const debianVersion = (version) => version.replace('-', '~')

/**
 * Returns the package's control file; `size` is the installed size in KiB.
 * @param {{ version: string, arch: string, depends: string[], size: number, substitute: boolean }} asked
 */
export function controlFile({ version, arch, depends, size, substitute }) {
  const lines = description({ substitute }).map((line) => ` ${line || '.'}`)
  const fields = {
    Package: 'thruflux',
    Version: debianVersion(version),
    Architecture: architectures[arch],
    Maintainer: product.maintainer,
    'Installed-Size': size,
    Depends: depends.join(', '),
    Recommends: recommended.join(', '),
    Section: 'net',
    Priority: 'optional',
    Homepage: product.homepage,
    Description: [product.description, ...lines].join('\n'),
  }
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('')
}

/** Returns the checksums of all files in dpkg's form, and their total size in KiB. */
function listFiles(tree) {
  const options = { cwd: tree, maxBuffer: 64 << 20 }
  const found = execFileSync('find', ['usr', '-type', 'f', '-printf', '%s %p\\n'], options)
  const files = found
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ (.*)/s))
  const names = files.map(([, name]) => name).sort()
  const bytes = files.reduce((sum, [size]) => sum + Number(size), 0)
  return { sums: execFileSync('md5sum', names, options), size: Math.ceil(bytes / 1024) }
}

/** @param {{ prefix: string, work: string, file: string, version: string, arch: string, substitute: boolean, quick: boolean }} asked */
export async function makeDeb({ prefix, work, file, version, arch, substitute, quick }) {
  rmSync(work, { recursive: true, force: true })
  const usr = join(work, 'usr')
  mkdirSync(work, { recursive: true })
  execFileSync('cp', ['-a', prefix, usr])
  const app = join(usr, appFolder)
  cpSync(join(root, 'build/linux/apparmor'), join(app, 'apparmor'))
  writeFileSync(join(app, 'resources/package-type'), 'deb')
  for (const [source, place] of Object.entries(debianPlaces)) {
    rmSync(join(usr, linuxPlaces[source]))
    placeFiles({ [source]: place }, usr)
  }
  execFileSync('gzip', ['-9n', join(usr, 'share/man/man1/thru.1')])
  const { sums, size } = listFiles(work)
  const control = join(work, 'DEBIAN')
  const date = sourceDate()
  mkdirSync(control)
  const depends = debianPackages(neededBy(app))
  writeFileSync(join(control, 'control'), controlFile({ version, arch, depends, size, substitute }))
  writeFileSync(join(control, 'md5sums'), sums)
  for (const [source, name] of [
    ['after-install.sh', 'postinst'],
    ['after-remove.sh', 'postrm'],
  ]) {
    cpSync(join(root, 'build/linux', source), join(control, name))
    chmodSync(join(control, name), 0o755)
  }
  plainModes(work)
  evenTimes(work, date)
  // Chromium's sandbox uses this program on systems that deny namespaces to ordinary users.
  chmodSync(join(app, 'chrome-sandbox'), 0o4755)
  const env = { SOURCE_DATE_EPOCH: String(date) }
  const build = [
    '--root-owner-group',
    ...(quick ? ['-Zgzip', '-z1'] : ['-Zxz']),
    '--build',
    work,
    file,
  ]
  await runLogged('building the deb', 'dpkg-deb', build, { log: `${work}.log`, env })
  rmSync(work, { recursive: true })
}
