// Programs at the places of a network. The processes of a place share a cgroup, which also accounts for their children.
import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { folder } from '../lib/world.mjs'

const keptText = 200_000

/** The mount point of cgroup v2, if it is mounted. */
function groupsFolder() {
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n')
  return mounts.map((line) => line.split(' ')).find((fields) => fields[2] === 'cgroup2')?.[1]
}

/** Removes the groups of a world that has ended, named after its `folder`. Its last processes may still be exiting. */
export async function removeGroups(worldFolder) {
  const at = groupsFolder()
  const isOwn = (name) => name.startsWith(`${basename(worldFolder)}-`)
  for (let tries = 0; at && tries < 40; tries += 1) {
    for (const name of readdirSync(at).filter(isOwn)) {
      try {
        rmdirSync(join(at, name))
      } catch (error) {
        if (error.code !== 'EBUSY') throw error
      }
    }
    if (!readdirSync(at).some(isOwn)) return
    await after(50)
  }
}

/** A running program and its output. */
class Running {
  text = ''
  #ended = false
  #wake = new Set()

  constructor(argv, { cwd, env, input }) {
    const [command, ...args] = argv
    this.child = spawn(command, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] })
    this.child.stdin.on('error', () => {}) // It ended without reading.
    if (input === undefined) this.child.stdin.end()
    else this.child.stdin.write(input)
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        this.text = (this.text + text).slice(-keptText)
        this.#notify()
      })
    }
    this.ended = new Promise((resolve) => {
      this.child.on('error', (error) => {
        this.text += error.message
        resolve(127)
      })
      this.child.on('close', (code) => resolve(code ?? 1))
    }).finally(() => {
      this.#ended = true
      this.#notify()
    })
  }

  /** Returns the pattern's first match in the output, or undefined if the program ends without one. */
  async match(pattern) {
    for (;;) {
      const found = pattern.exec(this.text)
      if (found) return found
      if (this.#ended) return undefined
      await new Promise((resolve) => this.#wake.add(resolve))
    }
  }

  #notify() {
    for (const resolve of this.#wake) resolve()
    this.#wake.clear()
  }
}

/** The processes of one place. */
export class Place {
  #group
  #prefix
  #peaks = new Map()

  /** `prefix` is a command that runs a program at this place; each start can override it. */
  constructor(name, prefix) {
    const at = groupsFolder()
    this.#prefix = prefix
    if (!at) return
    this.#group = join(at, `${basename(folder)}-${name}`)
    mkdirSync(this.#group, { recursive: true })
  }

  start(argv, { cwd = folder, env = {}, input, prefix = this.#prefix } = {}) {
    const join = this.#group ? ['sh', '-c', 'echo 0 > "$0" && exec "$@"', this.#procs()] : []
    return new Running([...join, ...prefix, ...argv], {
      cwd,
      env: { ...process.env, ...env },
      input,
    })
  }

  /** CPU seconds of all processes so far, if the kernel counts them. */
  cpuSeconds() {
    if (!this.#group) return undefined
    const text = readFileSync(join(this.#group, 'cpu.stat'), 'utf8')
    return Number(/^usage_usec (\d+)$/m.exec(text)[1]) / 1e6
  }

  /** Samples each process's peak memory. */
  samplePeaks() {
    for (const pid of this.#pids()) {
      try {
        const status = readFileSync(`/proc/${pid}/status`, 'utf8')
        const peak = /^VmHWM:\s+(\d+) kB$/m.exec(status)
        if (peak) this.#peaks.set(pid, Number(peak[1]) * 1024)
      } catch {
        // The process has ended.
      }
    }
  }

  /** Returns the sum of the sampled peaks of all processes, in bytes, and resets them. */
  takePeak() {
    const sum = [...this.#peaks.values()].reduce((all, each) => all + each, 0)
    this.#peaks.clear()
    return sum
  }

  /** Ends all processes at this place. */
  async stop() {
    for (let tries = 0; this.#pids().length > 0 && tries < 100; tries += 1) {
      for (const pid of this.#pids()) {
        try {
          process.kill(pid, tries < 20 ? 'SIGTERM' : 'SIGKILL')
        } catch {
          // The process has ended.
        }
      }
      await after(50)
    }
  }

  #procs() {
    return join(this.#group, 'cgroup.procs')
  }

  #pids() {
    if (!this.#group) return []
    return readFileSync(this.#procs(), 'utf8').split('\n').filter(Boolean).map(Number)
  }
}
