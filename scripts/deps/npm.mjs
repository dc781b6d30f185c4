// Installs node_modules from package-lock.json.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, withLock } from '../lib/cache.mjs'
import { step } from '../lib/failure.mjs'
import { runLogged } from '../lib/run.mjs'

/** True if npm's record of installed packages matches the lock file. Packages of other platforms can be absent. */
export function isInstalled(lock, installed) {
  const same = (name, entry) => {
    const have = installed.packages[name]
    if (!have) return entry.optional === true || entry.devOptional === true || entry.peer === true
    return have.version === entry.version && have.integrity === entry.integrity
  }
  return Object.entries(lock.packages).every(
    ([name, entry]) => !name.startsWith('node_modules/') || entry.link || same(name, entry),
  )
}

function upToDate() {
  const record = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(record)) return false
  const read = (file) => JSON.parse(readFileSync(file, 'utf8'))
  return isInstalled(read(join(root, 'package-lock.json')), read(record))
}

/** Runs `npm ci` unless node_modules matches package-lock.json. */
export async function ensureNodeModules() {
  if (upToDate()) return
  await withLock(join(root, 'out', 'npm.lock'), async () => {
    if (upToDate()) return
    const npm = process.env.npm_execpath
    // .npmrc has the same setting, but the environment could override it.
    const command = ['ci', '--ignore-scripts']
    const [program, ...args] = npm ? [process.execPath, npm, ...command] : ['npm', ...command]
    await step('installing npm packages', () =>
      runLogged('npm ci', program, args, { log: join(root, 'out', 'npm.log'), cwd: root }),
    )
  })
}
