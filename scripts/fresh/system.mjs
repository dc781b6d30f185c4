// A fresh Debian for one test: its suite's base, below a writable layer.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { cacheRoot } from '../lib/cache.mjs'
import { Failure } from '../lib/failure.mjs'
import { makeBase } from './base.mjs'
import { entering } from './enter.mjs'

const home = join(cacheRoot, 'fresh')

/**
 * Creates a system of `suite`, within seconds if its base exists. Only root on Linux; call `remove` at the end.
 * @param {string} suite
 */
export async function freshSystem(suite) {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    throw new Failure('Only root on Linux can create a fresh system.')
  const base = await makeBase(suite, join(home, suite))
  const layers = mkdtempSync(join(home, `${suite}-layers-`))
  const [upper, work] = [join(layers, 'upper'), join(layers, 'work')]
  const folder = join(layers, 'system')
  for (const each of [upper, work, folder]) mkdirSync(each)
  const options = `lowerdir=${base},upperdir=${upper},workdir=${work}`
  execFileSync('mount', ['-t', 'overlay', 'overlay', '-o', options, folder])

  return {
    /** The path of its root on this machine. */
    folder,
    /** Copies a file into its root folder; returns its path there. @param {string} file */
    bring(file) {
      cpSync(file, join(folder, basename(file)))
      return `/${basename(file)}`
    },
    /** Runs a shell command there; returns its `status` and all output. @param {string} command */
    run(command) {
      const { program, args, env } = entering(folder, command)
      const input = { stdio: ['ignore', 'pipe', 'pipe'], encoding: /** @type {const} */ ('utf8') }
      const { status, stdout, stderr } = spawnSync(program, args, { env, ...input })
      return { status, output: `${stdout}${stderr}` }
    },
    /** Starts a shell command there, which must end with its standard input. @param {string} command */
    start(command) {
      const { program, args, env } = entering(folder, command)
      return spawn(program, args, { env, stdio: ['pipe', 'pipe', 'pipe'] })
    },
    /** Deletes the system, even under running processes. */
    remove() {
      execFileSync('umount', ['--lazy', folder])
      rmSync(layers, { recursive: true, force: true })
    },
  }
}
