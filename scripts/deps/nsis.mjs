// Builds NSIS, which makes the installers for Windows. Before 3.12, other programs can change the code that an elevated
// installer runs (CVE-2025-43715, CVE-2026-42171), and Debian 12 and 13 have older versions.
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { cacheRoot, hashOf, root, withLock } from '../lib/cache.mjs'
import { Failure, step } from '../lib/failure.mjs'
import { capture, runLogged } from '../lib/run.mjs'
import { fetchMissing } from '../native-deps.mjs'
import { jobs } from './build-systems.mjs'
import { pythonTool } from './python-tools.mjs'
import { storedSource } from './sources.mjs'
import { missedLimit } from './version.mjs'

const crossCompiler = 'x86_64-w64-mingw32-'

/** Excluded parts: our installers don't use them, or they run only on Windows. */
const leftOut = {
  SKIPDOC: 'all',
  SKIPSTUBS: 'bzip2',
  SKIPPLUGINS:
    'AdvSplash,Banner,BgImage,Dialer,InstallOptions,LangDLL,Library/TypeLib,Math,NSISdl,Splash,StartMenu,VPatch/Source/Plugin',
  SKIPUTILS: 'Library/RegTool,MakeLangId,Makensisw,NSIS Menu,SubStart,VPatch/Source/GenPat,zip2exe',
}

/**
 * Returns the command that starts NSIS. On Linux, NSIS is built on first use. Other systems must provide it: throws a
 * Failure if it is missing or too old.
 * @returns {Promise<{ program: string, env: Record<string, string> }>}
 */
export async function nsis() {
  const config = JSON.parse(readFileSync(join(root, 'native', 'deps.json'), 'utf8'))
  const wanted = config.toolSources.nsis
  if (process.platform !== 'linux') return systemNsis(wanted)
  const recipe = readFileSync(new URL(import.meta.url), 'utf8')
  const home = join(
    cacheRoot,
    'tools',
    `nsis-${hashOf(JSON.stringify(wanted), recipe).slice(0, 16)}`,
  )
  if (!existsSync(home))
    await withLock(`${home}.lock`, async () => {
      if (!existsSync(home)) await build(home, config)
    })
  return { program: join(home, 'bin/makensis'), env: { NSISDIR: join(home, 'share/nsis') } }
}

function systemNsis(wanted) {
  const version = capture('makensis', ['-VERSION'])?.replace(/^v/, '')
  const missed = version === undefined ? 'missing' : missedLimit(version, wanted)
  if (missed) throw new Failure(`NSIS is ${missed}: install NSIS ${wanted.minimum} or newer.`)
  return { program: 'makensis', env: {} }
}

async function build(home, config) {
  const work = `${home}.work`
  const log = `${home}.log`
  rmSync(work, { recursive: true, force: true })
  const [source, prefix] = ['source', 'nsis'].map((name) => join(work, name))
  mkdirSync(source, { recursive: true })
  try {
    const sources = new Map([['nsis', storedSource(config.toolSources.nsis)]])
    if (!sources.get('nsis'))
      await fetchMissing({ ...config, dependencies: config.toolSources }, sources, work, log)
    const { path, version } = sources.get('nsis')
    const scons = await pythonTool(config, 'scons')
    const library = capture(`${crossCompiler}gcc`, ['-print-file-name=libkernel32.a'])
    if (!library) throw new Failure('The compiler for Windows is missing: gcc-mingw-w64-x86-64.')
    const target = resolve(dirname(library), '..')
    const [major, minor] = version.split('.')
    const settings = {
      ...{ VERSION: version, VER_MAJOR: major, VER_MINOR: minor },
      ...{ TARGET_ARCH: 'amd64', UNICODE: 'yes', XGCC_W32_PREFIX: crossCompiler, ...leftOut },
      ...{ PREFIX: prefix, PREFIX_CONF: join(prefix, 'etc'), CHMODDOCS: '0', STRIP_CP: 'no' },
      PREFIX_PLUGINAPI_INC: `${target}/include/`,
      PREFIX_PLUGINAPI_LIB: `${target}/lib/`,
    }
    const parts = ['compiler', 'stubs', 'plugins', 'data', 'utils', 'conf']
    const args = [
      ...['-m', 'SCons', `-j${jobs}`],
      ...Object.entries(settings).map(([name, value]) => `${name}=${value}`),
      ...parts.map((part) => `install-${part}`),
    ]
    await step(`building NSIS ${version}`, async () => {
      const unpack = ['-xf', path, '-C', source, '--strip-components=1']
      await runLogged('unpacking NSIS', 'tar', unpack, { log })
      await runLogged('building NSIS', 'python3', args, {
        ...{ log, cwd: source },
        // The stubs contain this time; a fixed one makes them reproducible.
        env: { PYTHONPATH: scons, SOURCE_DATE_EPOCH: process.env.SOURCE_DATE_EPOCH ?? '1' },
      })
    })
    // makensis loads the 32-bit stub before a script selects the 64-bit one.
    const stubs = join(prefix, 'share/nsis/Stubs')
    copyFileSync(join(stubs, 'zlib-amd64-unicode'), join(stubs, 'zlib-x86-unicode'))
    renameSync(prefix, home)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}
