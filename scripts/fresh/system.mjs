// A fresh Debian for one test: the base of its suite with a layer above it, into which everything is written.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { cacheRoot } from '../lib/cache.mjs'
import { Failure } from '../lib/failure.mjs'
import { makeBase } from './base.mjs'
import { entering } from './enter.mjs'

const home = join(cacheRoot, 'fresh')

/**
 * A system of `suite`, made in seconds once its base is there. Root on Linux only; `remove` it in the end.
 * @param {string} suite
 */
export async function freshSystem(suite) {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    throw new Failure('A fresh system can be made on Linux by root only.')
  const base = await makeBase(suite, join(home, suite))
  const layers = mkdtempSync(join(home, `${suite}-layers-`))
  const [upper, work] = [join(layers, 'upper'), join(layers, 'work')]
  const folder = join(layers, 'system')
  for (const each of [upper, work, folder]) mkdirSync(each)
  const options = `lowerdir=${base},upperdir=${upper},workdir=${work}`
  execFileSync('mount', ['-t', 'overlay', 'overlay', '-o', options, folder])

  return {
    /** Its root, as a folder of this machine. */
    folder,
    /** Copies a file into its root folder; the path there. @param {string} file */
    bring(file) {
      cpSync(file, join(folder, basename(file)))
      return `/${basename(file)}`
    },
    /** Runs a shell command there to its end: `status`, and all that it said. @param {string} command */
    run(command) {
      const { program, args, env } = entering(folder, command)
      const input = { stdio: ['ignore', 'pipe', 'pipe'], encoding: /** @type {const} */ ('utf8') }
      const { status, stdout, stderr } = spawnSync(program, args, { env, ...input })
      return { status, output: `${stdout}${stderr}` }
    },
    /** Starts a shell command there, which ends with its standard input or by itself. @param {string} command */
    start(command) {
      const { program, args, env } = entering(folder, command)
      return spawn(program, args, { env, stdio: ['pipe', 'pipe', 'pipe'] })
    },
    /** Deletes it, with what still runs in it having lost its files. */
    remove() {
      execFileSync('umount', ['--lazy', folder])
      rmSync(layers, { recursive: true, force: true })
    },
  }
}
