/** Runs the built command line as a Windows program, by Node for Windows under Wine. */
import { type ChildProcess, spawn } from 'node:child_process'
import {
  closeSync,
  type FSWatcher,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  watch,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { fileURLToPath } from 'node:url'
import { windowsNode } from '../../../../scripts/deps/windows-node.mjs'
import { windowsPath, wine } from '../../../../scripts/deps/wine.mjs'
import { type Ending, ProgramOutput } from '../program-output'

const inCheckout = (path: string): string =>
  fileURLToPath(new URL(`../../../../${path}`, import.meta.url))

const command = inCheckout('out/cli/thru.cjs')

/** The addon from `npm run build:win`. */
export const windowsAddon = inCheckout('out/native/win32-x64/thruflux.node')

const scratch = mkdtempSync(join(tmpdir(), 'thru-windows-'))
process.on('exit', () => rmSync(scratch, { recursive: true, force: true, maxRetries: 5 }))
// Test files' processes are ended by this signal.
process.once('SIGTERM', () => process.exit())

/** Sets the account's folders, so that tests don't see each other's state. */
const account = fileURLToPath(new URL('account.cjs', import.meta.url))

const machine = await wine()
const node = await windowsNode()

/** The surroundings of a run. */
export type WindowsOptions = {
  /** Variables besides those of the tests. */
  readonly env?: Readonly<Record<string, string>>
  /** Arguments of Node, replacing `thru` and its arguments. */
  readonly isNode?: boolean
}

/**
 * One run of `thru` under Wine. Node for Windows can't write to a pipe of this system, so it writes to files, which are
 * read whenever they change.
 */
export class WindowsThru extends ProgramOutput {
  readonly #child: ChildProcess
  readonly #files: { readonly stdout: string; readonly stderr: string }
  readonly #watcher: FSWatcher
  readonly #decoder = new StringDecoder('utf8')
  /** Bytes read so far. */
  #seen = 0

  constructor(args: readonly string[], { env = {}, isNode = false }: WindowsOptions = {}) {
    super()
    const folder = mkdtempSync(join(scratch, 'run-'))
    this.#files = { stdout: join(folder, 'stdout'), stderr: join(folder, 'stderr') }
    const [stdout, stderr] = [openSync(this.#files.stdout, 'w'), openSync(this.#files.stderr, 'w')]
    mkdirSync(join(folder, 'temp'))
    const program = isNode ? [] : ['--require', windowsPath(account), windowsPath(command)]
    this.#child = spawn(machine.program, [node, ...program, ...args], {
      cwd: folder,
      env: {
        ...process.env,
        ...machine.env,
        TEMP: windowsPath(join(folder, 'temp')),
        THRU_TEST_APPDATA: windowsPath(join(folder, 'roaming')),
        THRU_TEST_LOCALAPPDATA: windowsPath(join(folder, 'local')),
        THRU_ADDON: windowsPath(windowsAddon),
        THRU_NO_LAN: '1',
        ...env,
      },
      stdio: ['ignore', stdout, stderr],
    })
    closeSync(stdout)
    closeSync(stderr)
    this.#watcher = watch(this.#files.stdout, () => this.#read())
    this.#child.on('close', (code, signal) => {
      this.#watcher.close()
      this.#read()
      this.complained(readFileSync(this.#files.stderr, 'utf8'))
      this.end(code ?? (signal === 'SIGKILL' ? 137 : 128))
    })
  }

  /** Wine turns SIGINT into Ctrl+C. */
  stop(signal: NodeJS.Signals = 'SIGINT'): Promise<Ending> {
    this.#child.kill(signal)
    return this.ended
  }

  #read(): void {
    const all = readFileSync(this.#files.stdout)
    // An incomplete character follows with the next change.
    const text = this.#decoder.write(all.subarray(this.#seen))
    this.#seen = all.length
    if (text !== '') this.said(text)
  }
}
