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
import { appImageLauncher } from '../../deps/appimage-launcher.mjs'
import { cacheRoot, root } from '../../lib/cache.mjs'
import { runLogged } from '../../lib/run.mjs'
import { plainModes, sourceDate } from '../archive.mjs'
import { evenTimes } from './times.mjs'
import { appFolder } from './tree.mjs'

/** Returns the launcher and the compression; the substitute's launcher needs a FUSE library and doesn't support zstd. */
async function launcher({ arch, substitute, quick }) {
  if (substitute) {
    const runtime = join(cacheRoot, 'electron/appimage-tools', `runtime-${arch}`)
    return { runtime, compression: ['-comp', 'gzip', '-Xcompression-level', quick ? '1' : '9'] }
  }
  const runtime = await appImageLauncher(arch)
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
  const { runtime, compression } = await launcher({ arch, substitute, quick })
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
