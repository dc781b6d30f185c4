// Makes a single file that runs on most distributions without installation: a launcher, then the tree's file system.
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  cpSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { cacheRoot, hashOfFile, root } from '../../lib/cache.mjs'
import { Failure } from '../../lib/failure.mjs'
import { runLogged } from '../../lib/run.mjs'
import { plainModes, sourceDate } from '../archive.mjs'
import { evenTimes } from './times.mjs'
import { appFolder } from './tree.mjs'

/** A launcher that needs no FUSE library, in an archive of electron-builder's, with its SHA-256. */
const release = {
  address:
    'https://github.com/electron-userland/electron-builder-binaries/releases/download/appimage@1.0.3/appimage-tools-runtime-20251108.tar.gz',
  sha256: '84021a78ee214ae6fd33a2d62a92ba25542dd10bc86bf117a9b2d0bba44e7665',
}

/** Downloads the launcher for a release; returns its path in `folder`. */
async function downloadLauncher(arch, folder) {
  const archive = join(folder, 'launchers.tar.gz')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const response = await fetch(release.address)
  if (!response.ok) throw new Failure(`${release.address} answers ${response.status}.`)
  writeFileSync(archive, Buffer.from(await response.arrayBuffer()))
  if (hashOfFile(archive) !== release.sha256)
    throw new Failure(`${release.address} has another SHA-256. Don't use it, and report this.`)
  execFileSync('tar', ['-xzf', archive, '-C', folder])
  return join(folder, 'runtimes', `runtime-${arch}`)
}

/** Returns the launcher and the compression; the substitute's launcher needs a FUSE library and doesn't support zstd. */
async function launcher({ arch, substitute, quick, folder }) {
  if (substitute) {
    const runtime = join(cacheRoot, 'electron/appimage-tools', `runtime-${arch}`)
    return { runtime, compression: ['-comp', 'gzip', '-Xcompression-level', quick ? '1' : '9'] }
  }
  const runtime = await downloadLauncher(arch, folder)
  return { runtime, compression: ['-comp', 'zstd', '-Xcompression-level', quick ? '1' : '19'] }
}

/** @param {{ prefix: string, work: string, file: string, arch: string, substitute: boolean, quick: boolean }} asked */
export async function makeAppImage({ prefix, work, file, arch, substitute, quick }) {
  rmSync(work, { recursive: true, force: true })
  mkdirSync(work, { recursive: true })
  const usr = join(work, 'usr')
  const date = sourceDate()
  execFileSync('cp', ['-a', prefix, usr])
  cpSync(join(root, 'build/linux/AppRun'), join(work, 'AppRun'))
  cpSync(join(usr, 'share/applications/thruflux.desktop'), join(work, 'thruflux.desktop'))
  cpSync(join(root, 'resources/icons/icon.png'), join(work, 'thruflux.png'))
  symlinkSync('thruflux.png', join(work, '.DirIcon'))
  writeFileSync(join(usr, appFolder, 'resources/package-type'), 'appimage')
  plainModes(work)
  evenTimes(work, date)
  const { runtime, compression } = await launcher({
    ...{ arch, substitute, quick, folder: `${work}-launcher` },
  })
  const head = readFileSync(runtime)
  rmSync(file, { force: true })
  const even = ['-all-root', '-no-xattrs', '-mkfs-time', String(date)]
  const place = ['-offset', String(head.length), '-noappend', '-no-progress', '-quiet']
  const args = [work, file, ...place, ...even, ...compression]
  await runLogged('packing the AppImage', 'mksquashfs', args, {
    log: `${work}.log`,
    env: { SOURCE_DATE_EPOCH: undefined },
  })
  const image = openSync(file, 'r+')
  writeSync(image, head, 0, head.length, 0)
  closeSync(image)
  chmodSync(file, 0o755)
  rmSync(work, { recursive: true })
}
