// A running `thru` and the lines it prints, with their times.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { root } from '../../scripts/lib/cache.mjs'

const launcher = join(root, 'cli', 'bin', 'thru.cjs')
const atExit = fileURLToPath(new URL('at-exit.cjs', import.meta.url))

/** Runs `thru` or another `program`; `within` is a command prefix that selects the place. */
export class Program {
  /** The lines printed so far, as objects with `atMs`. */
  lines = []
  startedAtMs = performance.now()
  #child
  #stderr = ''
  #wake = []
  #hasEnded = false

  constructor(args, { within = [], env = {}, program = launcher } = {}) {
    const [command, ...rest] = [...within, process.execPath, program, ...args]
    this.#child = spawn(command, rest, {
      env: { ...process.env, NODE_OPTIONS: `--require="${atExit}"`, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    createInterface(this.#child.stdout).on('line', (text) => {
      const line = text.startsWith('{') ? JSON.parse(text) : { type: 'text', text }
      this.lines.push({ ...line, atMs: performance.now() })
      this.#notify()
    })
    this.#child.stderr.on('data', (data) => (this.#stderr += data))
    /** Resolves with the exit code and the resources used (see at-exit.cjs). */
    this.ended = new Promise((resolve) => {
      this.#child.on('close', (exitCode) => {
        this.#hasEnded = true
        this.#notify()
        const used = /^used (.*)$/m.exec(this.#stderr)
        resolve({ exitCode, ...(used && JSON.parse(used[1])) })
      })
    })
  }

  get pid() {
    return this.#child.pid
  }

  /** Resolves with the first line of a type that matches. */
  async line(type, fits = () => true) {
    for (;;) {
      const found = this.lines.find((line) => line.type === type && fits(line))
      if (found) return found
      if (this.#hasEnded) {
        const printed = this.lines.map((line) => JSON.stringify(line)).join('\n')
        throw new Error(`ended without ${type}:\n${printed}\n${this.#stderr}`)
      }
      await new Promise((resolve) => this.#wake.push(resolve))
    }
  }

  /** CPU time so far. */
  cpuSeconds() {
    const fields = readFileSync(`/proc/${this.#child.pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
    return (Number(fields[11]) + Number(fields[12])) / 100 // Clock ticks are 10 ms everywhere.
  }

  stop(signal = 'SIGINT') {
    this.#child.kill(signal)
    return this.ended
  }

  #notify() {
    for (const resolve of this.#wake.splice(0)) resolve()
  }
}
