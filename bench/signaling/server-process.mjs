// A server under load: a program on one core, and its resource use.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { availableParallelism } from 'node:os'
import { setTimeout as after } from 'node:timers/promises'
import { root } from '../../scripts/lib/cache.mjs'
import { SwarmSocket } from './swarm-socket.mjs'

const quiet = { stdio: 'ignore' }

/** Linux clock ticks per second. */
const perSecond = 100

/** Limits high enough to measure the server rather than its limits per address. */
const roomy = {
  THRU_MAX_SESSIONS: '300000',
  THRU_MAX_WS_CONNECTIONS: '1000000',
  THRU_WS_CONNECTIONS_PER_MIN: '100000',
  THRU_WS_CONNECTIONS_BURST: '100000',
  THRU_SESSION_CREATES_PER_MIN: '100000',
  THRU_SESSION_CREATES_BURST: '100000',
  THRU_JOINS_PER_MIN: '100000',
  THRU_JOINS_BURST: '100000',
  THRU_MAX_SESSIONS_PER_ADDRESS: '1000',
  THRU_MAX_WS_CONNECTIONS_PER_ADDRESS: '1000',
}

async function freePort() {
  const server = createServer()
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address()
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Raises this process's limit of open files to the system's maximum, if permitted; children inherit it. */
export function raiseOpenFiles() {
  const most = readFileSync('/proc/sys/fs/nr_open', 'utf8').trim()
  spawnSync('prlimit', [`--nofile=${most}:${most}`, '--pid', String(process.pid)], quiet)
}

/** Pins this process, the swarm, to another core than the server's. */
export function leaveCore() {
  if (availableParallelism() > 1) execFileSync('taskset', ['-a', '-cp', '1', String(process.pid)])
}

/** A running server, on the first core. */
export class ServerProcess {
  #child
  #cpuAt = 0

  /** `limits` are variables. `profile` is a folder for a CPU profile. */
  static async thru({ limits = roomy, profile, program } = {}) {
    const port = await freePort()
    const flags = profile ? ['--cpu-prof', '--cpu-prof-dir', profile] : []
    const server = program ?? 'out/signaling/server.cjs'
    const settings = ['--host', '127.0.0.1', '--port', String(port)]
    return new ServerProcess(
      port,
      [process.execPath, ...flags, server, ...settings],
      limits,
    ).#started()
  }

  constructor(port, program, variables = {}) {
    this.port = port
    this.#child = spawn('taskset', ['-c', '0', ...program], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, ...variables, THRU_LOG_LEVEL: 'error' },
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

  /** Resolves when `ask` does, and starts counting CPU time. */
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

  /** Memory in use, in MiB. */
  get residentMiB() {
    const status = readFileSync(`/proc/${this.#child.pid}/status`, 'utf8')
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)[1]) / 1024
  }

  /** CPU seconds since the last call. */
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
