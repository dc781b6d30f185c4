// A server under load: a program on one core, and what it takes of it.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { availableParallelism } from 'node:os'
import { setTimeout as after } from 'node:timers/promises'
import { root } from '../../scripts/lib/cache.mjs'
import { SwarmSocket } from './swarm-socket.mjs'

const quiet = { stdio: 'ignore' }

/** Jiffies of Linux. */
const perSecond = 100

/** Room for everything: what is measured is the server and not its limits by address. */
const roomy = [
  ...['--max-sessions', '300000', '--max-ws-connections', '1000000'],
  ...['--ws-connections-per-min', '100000', '--ws-connections-burst', '100000'],
  ...['--session-creates-per-min', '100000', '--session-creates-burst', '100000'],
  ...['--joins-per-min', '100000', '--joins-burst', '100000'],
  ...['--max-sessions-per-address', '1000', '--max-ws-connections-per-address', '1000'],
]

async function freePort() {
  const server = createServer()
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address()
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** As many open files as the system gives a process, where this one may ask for them; its children have as many. */
export function raiseOpenFiles() {
  const most = readFileSync('/proc/sys/fs/nr_open', 'utf8').trim()
  spawnSync('prlimit', [`--nofile=${most}:${most}`, '--pid', String(process.pid)], quiet)
}

/** Lets this process, which is the swarm, leave the first core to the server. */
export function leaveCore() {
  if (availableParallelism() > 1) execFileSync('taskset', ['-a', '-cp', '1', String(process.pid)])
}

/** A running server, on the first core. */
export class ServerProcess {
  #child
  #cpuAt = 0

  /** `args` are settings. `profile` is a folder for a profile of its processor time. */
  static async thru({ args = roomy, profile, program } = {}) {
    const port = await freePort()
    const flags = profile ? ['--cpu-prof', '--cpu-prof-dir', profile] : []
    const server = program ?? 'out/signaling/server.cjs'
    const settings = ['--host', '127.0.0.1', '--port', String(port), ...args]
    return new ServerProcess(port, [process.execPath, ...flags, server, ...settings]).#started()
  }

  constructor(port, program) {
    this.port = port
    this.#child = spawn('taskset', ['-c', '0', ...program], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, THRU_LOG_LEVEL: 'error' },
    })
    this.ended = new Promise((resolve) => this.#child.once('close', resolve))
    process.once('exit', () => this.#child.kill('SIGKILL'))
  }

  async #started() {
    await this.#answers(async () =>
      (await SwarmSocket.open({ port: this.port, from: '127.0.0.1' })).cut(),
    )
    return this
  }

  /** Resolves when `ask` does, and begins to count. */
  async #answers(ask) {
    for (let tries = 0; tries < 200; tries += 1) {
      try {
        await ask()
        this.cpuSeconds()
        return
      } catch {
        await after(50)
      }
    }
    throw new Error('the server did not start')
  }

  /** Scripts that a Redis ran so far. */
  get scripts() {
    const stats = execFileSync('redis-cli', ['-p', String(this.port), 'info', 'commandstats'])
    const calls = String(stats).matchAll(/^cmdstat_eval(?:sha)?:calls=(\d+)/gm)
    return [...calls].reduce((sum, [, count]) => sum + Number(count), 0)
  }

  /** Memory in use, MiB. */
  get residentMiB() {
    const status = readFileSync(`/proc/${this.#child.pid}/status`, 'utf8')
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)[1]) / 1024
  }

  /** Seconds on processors since the last call. */
  cpuSeconds() {
    const stat = readFileSync(`/proc/${this.#child.pid}/stat`, 'utf8').replace(/^.*\) /, '')
    const fields = stat.split(' ')
    const total = (Number(fields[11]) + Number(fields[12])) / perSecond
    const used = total - this.#cpuAt
    this.#cpuAt = total
    return used
  }

  async stop() {
    this.#child.kill('SIGINT')
    const late = setTimeout(() => this.#child.kill('SIGKILL'), 5000)
    await this.ended
    clearTimeout(late)
  }
}
