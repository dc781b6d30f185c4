/** Runs the built command line and lets tests wait for what it says. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const launcher = fileURLToPath(new URL('../../bin/thru.cjs', import.meta.url))

/** So that no test reads or changes what this account remembers and has set. */
const stateHome = mkdtempSync(join(tmpdir(), 'thru-state-'))
process.on('exit', () => rmSync(stateHome, { recursive: true, force: true }))

const accountOfTests = { XDG_STATE_HOME: stateHome, XDG_CONFIG_HOME: join(stateHome, 'config') }

const noNetwork = { THRU_NO_LAN: '1' }

/** How a program ended; a signal that nobody handled counts as its number plus 128. */
export type Ending = { readonly exitCode: number; readonly stdout: string; readonly stderr: string }

/** Where a run takes place. */
export type ThruOptions = {
  readonly cwd?: string
  /** Variables besides those of the tests. */
  readonly env?: Readonly<Record<string, string>>
  readonly isOnTerminal?: boolean
  /** What its standard input has, up to the end; without it there is none. */
  readonly input?: string
  /** Standard input ends only when the run is stopped. */
  readonly holdsInput?: boolean
  /** Found on the local network, and looks there; only for tests in a network of their own. */
  readonly usesNetwork?: boolean
  /** A command that runs the program in other surroundings, such as `env A=1`. */
  readonly within?: readonly string[]
}

/** A line of `--json`. */
export type Line = { readonly type: string } & Readonly<Record<string, unknown>>

/** One run of `thru`. */
export class Thru {
  readonly #child: ChildProcess
  readonly ended: Promise<Ending>
  #stdout = ''
  #stderr = ''
  #wake: (() => void)[] = []
  #hasEnded = false

  constructor(
    args: readonly string[],
    {
      cwd,
      env = {},
      isOnTerminal = false,
      input,
      holdsInput = false,
      usesNetwork = false,
      within = [],
    }: ThruOptions = {},
  ) {
    const command = [...within, process.execPath, launcher, ...args]
    // util-linux's `script` runs a command on a terminal of its own, fed from our pipe.
    const [program = '', ...rest] = isOnTerminal
      ? ['script', '--quiet', '--return', '--command', command.join(' '), '/dev/null']
      : command
    this.#child = spawn(program, rest, {
      env: { ...process.env, ...accountOfTests, ...(usesNetwork ? {} : noNetwork), ...env },
      stdio: [
        isOnTerminal || holdsInput || input !== undefined ? 'pipe' : 'ignore',
        'pipe',
        'pipe',
      ],
      ...(cwd === undefined ? {} : { cwd }),
    })
    if (input !== undefined) this.#child.stdin?.end(input)
    this.#child.stdout?.on('data', (data: Buffer) => {
      this.#stdout += data.toString()
      this.#notify()
    })
    this.#child.stderr?.on('data', (data: Buffer) => {
      this.#stderr += data.toString()
    })
    this.ended = new Promise((resolve) => {
      this.#child.on('close', (code, signal) => {
        this.#hasEnded = true
        this.#notify()
        const exitCode = code ?? (signal === 'SIGKILL' ? 137 : 128)
        resolve({ exitCode, stdout: this.#stdout, stderr: this.#stderr })
      })
    })
  }

  /** The first match of `pattern` on standard output. */
  async match(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = pattern.exec(this.#stdout)
      if (found !== null) return found
      await this.#more(String(pattern))
    }
  }

  /** The first JSON line of a type. */
  line(type: string): Promise<Line> {
    return this.lineWhere(type, () => true)
  }

  /** The first JSON line of a type that fits. */
  async lineWhere(type: string, fits: (line: Line) => boolean): Promise<Line> {
    for (;;) {
      const found = linesOf(this.#stdout).find((line) => line.type === type && fits(line))
      if (found !== undefined) return found
      await this.#more(type)
    }
  }

  /** All JSON lines of a type once there are `count` of them. */
  async lines(type: string, count: number): Promise<readonly Line[]> {
    for (;;) {
      const found = linesOf(this.#stdout).filter((line) => line.type === type)
      if (found.length >= count) return found
      await this.#more(`${count} of ${type}`)
    }
  }

  /** Types on the terminal. */
  type(text: string): void {
    this.#child.stdin?.write(text)
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  stop(signal: NodeJS.Signals = 'SIGINT'): Promise<Ending> {
    this.#child.kill(signal)
    this.#child.stdin?.end()
    return this.ended
  }

  async #more(wanted: string): Promise<void> {
    if (this.#hasEnded) {
      throw new Error(`ended without ${wanted}:\n${this.#stdout}\n${this.#stderr}`)
    }
    await new Promise<void>((resolve) => this.#wake.push(resolve))
  }

  #notify(): void {
    for (const resolve of this.#wake.splice(0)) resolve()
  }
}

/** The complete JSON lines of an output. */
export const linesOf = (stdout: string): readonly Line[] =>
  stdout
    .split('\n')
    .slice(0, -1)
    .map((text) => JSON.parse(text) as Line)
