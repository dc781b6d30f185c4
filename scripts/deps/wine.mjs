// Wine, which runs Windows programs in tests, and its prefixes: folders that serve as Windows disks.
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { cacheRoot, withLock, writeAtomically } from '../lib/cache.mjs'
import { Failure, step } from '../lib/failure.mjs'
import { capture, runLogged } from '../lib/run.mjs'

/** Debian has no link in /usr/bin; its script there requires 32-bit libraries that aren't needed here. */
const places = ['/usr/lib/wine/wine64', '/usr/bin/wine64']

/** Returns the program, or throws a Failure with the packages to install. */
function wineProgram() {
  const program = places.find((place) => existsSync(place))
  if (program) return program
  throw new Failure('Wine is missing: install the packages wine and wine64, then try again.')
}

/**
 * The environment of a process in a prefix. Disabling two DLLs keeps Wine from offering to download .NET and a browser.
 * The home folder keeps Windows' "Documents" and "Desktop" inside the prefix.
 */
function environmentIn(prefix) {
  return {
    WINEPREFIX: prefix,
    WINEARCH: 'win64',
    WINEDEBUG: '-all',
    WINEDLLOVERRIDES: 'mscoree,mshtml=;winemenubuilder.exe=d',
    HOME: join(prefix, 'home'),
  }
}

/** Creates a prefix that contains only Windows 10, replacing an existing one. */
export async function makePrefix(prefix) {
  const program = wineProgram()
  const env = environmentIn(prefix)
  const log = `${prefix}.log`
  rmSync(prefix, { recursive: true, force: true })
  mkdirSync(env.HOME, { recursive: true })
  const run = (...args) => runLogged('preparing Wine', program, args, { log, env })
  await run('wineboot', '--init')
  await run('winecfg', '-v', 'win10')
  // The registry is on disk once the prefix's server has ended.
  await runLogged('preparing Wine', 'wineserver', ['--wait'], { log, env })
  return { program, env, prefix }
}

/**
 * Returns `{ program, env, prefix }`, with a prefix shared by all tests of this Wine version and created on first use.
 * Start `program` with a Windows program and its arguments in the environment `env`.
 */
export async function wine() {
  const program = wineProgram()
  const version = capture(program, ['--version'])?.split(' ')[0] ?? 'wine'
  const prefix = join(cacheRoot, 'wine', version)
  const made = join(prefix, 'made')
  await withLock(`${prefix}.lock`, async () => {
    if (existsSync(made)) return
    await step('preparing Wine', () => makePrefix(prefix))
    writeAtomically(made, '')
  })
  return { program, env: environmentIn(prefix), prefix }
}

/** Converts a path of this system to a path for Windows programs under Wine. */
export const windowsPath = (path) => `Z:${path.replaceAll('/', '\\')}`
