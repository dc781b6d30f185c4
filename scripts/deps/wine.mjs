// Wine, by which tests run Windows programs: its program, and folders (prefixes) that are to Windows what a disk is.
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { cacheRoot, withLock, writeAtomically } from '../lib/cache.mjs'
import { Failure, step } from '../lib/failure.mjs'
import { capture, runLogged } from '../lib/run.mjs'

/** Debian's comes without a link in /usr/bin; the script there asks for 32-bit libraries that nothing here needs. */
const places = ['/usr/lib/wine/wine64', '/usr/bin/wine64']

/** The program, or a Failure that says what to install. */
function wineProgram() {
  const program = places.find((place) => existsSync(place))
  if (program) return program
  throw new Failure('Wine is missing: install the packages wine and wine64, then try again.')
}

/**
 * What a process needs to run in a prefix. Without the two DLLs Wine doesn't offer to download .NET and a browser; the
 * home folder keeps Windows' "Documents" and "Desktop" inside the prefix.
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

/** Makes a prefix with nothing but Windows 10 in it, in place of what was there. */
export async function makePrefix(prefix) {
  const program = wineProgram()
  const env = environmentIn(prefix)
  const log = `${prefix}.log`
  rmSync(prefix, { recursive: true, force: true })
  mkdirSync(env.HOME, { recursive: true })
  const run = (...args) => runLogged('preparing Wine', program, args, { log, env })
  await run('wineboot', '--init')
  await run('winecfg', '-v', 'win10')
  // The registry is on the disk when the server of the prefix has ended.
  await runLogged('preparing Wine', 'wineserver', ['--wait'], { log, env })
  return { program, env, prefix }
}

/**
 * Wine with a prefix that all tests of this version of Wine share, made at the first time: `{ program, env, prefix }`.
 * `program` is started with a Windows program and its arguments, in the environment `env`.
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

/** A path of this system as Windows programs under Wine name it. */
export const windowsPath = (path) => `Z:${path.replaceAll('/', '\\')}`
