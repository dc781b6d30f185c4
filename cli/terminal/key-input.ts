/** Reads single keys of a terminal while no question waits for a line. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { ReadStream } from 'node:tty'

/** The part of `process.stdin` in use; tests replace it. */
export type KeySource = Pick<ReadStream, 'setRawMode' | 'resume' | 'pause' | 'on' | 'off' | 'unref'>

/** Effects of control keys, which the terminal doesn't handle in raw mode. */
export type KeySignals = { readonly interrupt: () => void; readonly suspend: () => void }

const ctrlC = '\u0003'
const ctrlD = '\u0004'
const ctrlZ = '\u001a'

/** Delivers keys after `resume`, until it is held. */
export class KeyInput {
  readonly #source: KeySource
  readonly #signals: KeySignals
  readonly #onKey: (key: string) => void
  #isOn = false

  constructor(source: KeySource, signals: KeySignals, onKey: (key: string) => void) {
    this.#source = source
    this.#signals = signals
    this.#onKey = onKey
  }

  /** Takes over the terminal. */
  resume(): void {
    if (this.#isOn) return
    this.#isOn = true
    this.#source.setRawMode(true)
    this.#source.on('data', this.#onData)
    this.#source.resume()
    // Waiting for keys doesn't keep the command alive.
    this.#source.unref()
  }

  /** Gives the terminal back, for a question, before the program stops, or at the end. */
  hold(): void {
    if (!this.#isOn) return
    this.#isOn = false
    this.#source.off('data', this.#onData)
    this.#source.setRawMode(false)
    this.#source.pause()
  }

  readonly #onData = (data: Buffer | string): void => {
    for (const key of data.toString()) {
      if (key === ctrlC || key === ctrlD) this.#signals.interrupt()
      else if (key === ctrlZ) this.#signals.suspend()
      else this.#onKey(key.toLowerCase())
    }
  }
}

/**
 * True if this process may read its terminal: the system stops a background process that tries. False
 * if that is unknown.
 */
export function isInForeground(platform: NodeJS.Platform): boolean {
  if (platform === 'win32') return true
  try {
    if (platform === 'linux') return foregroundByStat(readFileSync('/proc/self/stat', 'latin1'))
    const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(process.pid)], {
      encoding: 'latin1',
    })
    return stdout.includes('+')
  } catch {
    return false
  }
}

/** Compares the process group with the foreground one in proc_pid_stat(5); the name before them may contain spaces. */
export function foregroundByStat(stat: string): boolean {
  const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return group !== undefined && group === foreground
}
