#!/usr/bin/env node
// server.mjs [--version V]: packs the signaling server as a deb for all architectures,
// out/packages/thru-server_VERSION_all.deb. It runs on the system's Node, which the distribution keeps secure.
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { serverPlaces } from '../../build/install-places.mjs'
import { root } from '../lib/cache.mjs'
import { isMain, runMain } from '../lib/failure.mjs'
import { runLogged } from '../lib/run.mjs'
import { plainModes, sourceDate } from './archive.mjs'
import { debianVersion } from './linux/deb.mjs'
import { placeFiles } from './place-files.mjs'
import { product } from './product.mjs'

/** Files that dpkg keeps if an administrator has changed them, and deletes only on purge. */
const configuration = ['/etc/thru-server/environment']

/** Older versions lack features that the bundle needs; Debian 12 and Ubuntu 24.04 have this one. */
const oldestNode = 18

const scripts = ['postinst', 'prerm', 'postrm']

const description = [
  'signaling server of Thruflux',
  ' It introduces computers that exchange files with Thruflux, and keeps',
  ' nothing on disk. The data it forwards is sealed: it sees neither files nor',
  ' their names nor the words of a code.',
].join('\n')

const roff = (line) => line.replaceAll('\\', '\\e').replaceAll('-', '\\-').replace(/^[.']/, '\\&$&')

/** Returns the manual page around the server's own description of its settings. */
export function serverManual(help) {
  return [
    `.TH THRU-SERVER 8 "" "Thruflux ${product.version}" "Thruflux"`,
    '.SH NAME',
    'thru\\-server \\- signaling server of Thruflux',
    '.SH SYNOPSIS',
    '.B thru\\-server',
    '[settings]',
    '.SH DESCRIPTION',
    'It introduces computers to each other. systemd runs it as thru\\-server.service, with the settings of',
    '.IR /etc/thru\\-server/environment .',
    '.SH SETTINGS',
    '.nf',
    ...help.trimEnd().split('\n').map(roff),
    '.fi',
    '',
  ].join('\n')
}

function writeManual() {
  const program = join(root, 'out/signaling/server.cjs')
  const help = execFileSync(process.execPath, [program, '--help'], { encoding: 'utf8' })
  writeFileSync(join(root, 'out/signaling/thru-server.8'), serverManual(help))
}

const filesBelow = (folder) =>
  readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => statSync(join(folder, name)).isFile())
    .sort()

const controlFile = (version, bytes) =>
  [
    'Package: thru-server',
    `Version: ${debianVersion(version)}`,
    'Architecture: all',
    `Maintainer: ${product.maintainer}`,
    `Installed-Size: ${Math.ceil(bytes / 1024)}`,
    'Pre-Depends: init-system-helpers (>= 1.54)',
    `Depends: nodejs (>= ${oldestNode})`,
    'Suggests: coturn',
    'Section: net',
    'Priority: optional',
    `Homepage: ${product.homepage}`,
    `Description: ${description}`,
    '',
  ].join('\n')

/**
 * Makes the package from the build and returns its path. `version` defaults to that of package.json.
 * @param {{ version?: string | undefined }} [asked]
 * @returns {Promise<string>}
 */
export async function makeServerDeb({ version = product.version } = {}) {
  const output = join(root, 'out/packages')
  const tree = join(output, 'work-thru-server')
  rmSync(tree, { recursive: true, force: true })
  writeManual()
  placeFiles(serverPlaces, tree)
  // `npm run build:web` makes it, only on Debian and Ubuntu.
  const page = join(root, 'out/web')
  if (existsSync(page)) cpSync(page, join(tree, 'usr/lib/thru-server/web'), { recursive: true })
  chmodSync(join(tree, 'usr/bin/thru-server'), 0o755)
  execFileSync('gzip', ['-9n', join(tree, 'usr/share/man/man8/thru-server.8')])
  const files = filesBelow(tree)
  const bytes = files.reduce((sum, name) => sum + statSync(join(tree, name)).size, 0)
  const sums = execFileSync(
    'md5sum',
    files.filter((name) => !name.startsWith('etc/')),
    { cwd: tree },
  )
  const control = join(tree, 'DEBIAN')
  mkdirSync(control)
  writeFileSync(join(control, 'control'), controlFile(version, bytes))
  writeFileSync(join(control, 'md5sums'), sums)
  writeFileSync(join(control, 'conffiles'), `${configuration.join('\n')}\n`)
  for (const name of scripts) {
    cpSync(join(root, 'build/server', name), join(control, name))
    chmodSync(join(control, name), 0o755)
  }
  plainModes(tree)
  chmodSync(join(tree, configuration[0]), 0o600)
  const file = join(output, `thru-server_${debianVersion(version)}_all.deb`)
  const log = join(output, 'thru-server.log')
  const build = ['--root-owner-group', '-Zxz', '--build', tree, file]
  const env = { SOURCE_DATE_EPOCH: String(sourceDate()) }
  await runLogged('building the server package', 'dpkg-deb', build, { log, env })
  rmSync(tree, { recursive: true })
  return file
}

if (isMain(import.meta.url))
  runMain(async () => {
    const { values } = parseArgs({ options: { version: { type: 'string' } } })
    console.log(await makeServerDeb(values))
  })
