/** Runs the built command line and lets tests wait for its output. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Ending, ProgramOutput } from './program-output'

export { type Ending, type Line, linesOf } from './program-output'

const launcher = fileURLToPath(new URL('../../bin/thru.cjs', import.meta.url))

/** Keeps tests away from this account's state and settings. */
const stateHome = mkdtempSync(join(tmpdir(), 'thru-state-'))
process.on('exit', () => rmSync(stateHome, { recursive: true, force: true, maxRetries: 5 }))
// Test files' processes are ended by this signal.
process.once('SIGTERM', () => process.exit())

const accountOfTests = {
  XDG_STATE_HOME: stateHome,
  XDG_CONFIG_HOME: join(stateHome, 'config'),
  XDG_CACHE_HOME: join(stateHome, 'cache'),
}

const noNetwork = { THRU_NO_LAN: '1' }

/** The surroundings of a run. */
export type ThruOptions = {
  readonly cwd?: string
  /** Variables besides those of the tests. */
  readonly env?: Readonly<Record<string, string>>
  readonly isOnTerminal?: boolean
  /** The whole standard input; empty by default. */
  readonly input?: string
  /** Standard input ends only when the run is stopped. */
  readonly holdsInput?: boolean
  /** Uses the local network; only for tests in a network of their own. */
  readonly usesNetwork?: boolean
  /** A command that runs the program in other surroundings, such as `env A=1`. */
  readonly within?: readonly string[]
  /** The words before the arguments, replacing this Node and the built `thru`. */
  readonly program?: readonly string[]
}

/** One run of `thru`. */
export class Thru extends ProgramOutput {
  readonly #child: ChildProcess

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
      program: words = [process.execPath, launcher],
    }: ThruOptions = {},
  ) {
    super()
    const command = [...within, ...words, ...args]
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
    // A program may end before it has read everything; tests check its end.
    this.#child.stdin?.on('error', () => undefined)
    if (input !== undefined) this.#child.stdin?.end(input)
    this.#child.stdout?.on('data', (data: Buffer) => this.said(data.toString()))
    this.#child.stderr?.on('data', (data: Buffer) => this.complained(data.toString()))
    this.#child.on('close', (code, signal) => this.end(code ?? (signal === 'SIGKILL' ? 137 : 128)))
  }

  type(text: string | Uint8Array): void {
    this.#child.stdin?.write(text)
  }

  endInput(): void {
    this.#child.stdin?.end()
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal)
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  stop(signal: NodeJS.Signals = 'SIGINT'): Promise<Ending> {
    this.#child.kill(signal)
    this.#child.stdin?.end()
    return this.ended
  }
}
