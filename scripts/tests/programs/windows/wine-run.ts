import { spawn } from 'node:child_process'
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makePrefix } from '../../../deps/wine.mjs'

type Machine = {
  readonly program: string
  readonly env: Readonly<Record<string, string>>
  readonly prefix: string
}

/** A fresh Wine prefix in which a test runs Windows programs. */
export class WindowsMachine {
  readonly #machine: Machine
  readonly #output: string

  private constructor(machine: Machine) {
    this.#machine = machine
    this.#output = mkdtempSync(join(tmpdir(), 'thru-wine-'))
  }

  static async make(folder: string): Promise<WindowsMachine> {
    return new WindowsMachine(await makePrefix(folder))
  }

  /** A path on drive C:. */
  at(...parts: readonly string[]): string {
    return join(this.#machine.prefix, 'drive_c', ...parts)
  }

  /** The folder of the account's local programs and data. */
  local(...parts: readonly string[]): string {
    return this.at('users', process.env['USER'] ?? 'root', 'AppData', 'Local', ...parts)
  }

  roaming(...parts: readonly string[]): string {
    return this.at('users', process.env['USER'] ?? 'root', 'AppData', 'Roaming', ...parts)
  }

  /** Runs a program and returns its output, through a file since Node under Wine can't write to our pipes. */
  async run(
    program: string,
    ...args: readonly string[]
  ): Promise<{ readonly exitCode: number | null; readonly output: string }> {
    const file = join(this.#output, 'output')
    const output = openSync(file, 'w')
    const { program: wine, env } = this.#machine
    const child = spawn(wine, [program, ...args], {
      cwd: this.#output,
      env: { ...process.env, ...env },
      stdio: ['ignore', output, output],
    })
    closeSync(output)
    const exitCode = await new Promise<number | null>((resolve) => child.on('close', resolve))
    return { exitCode, output: readFileSync(file, 'utf8').replaceAll('\r\n', '\n') }
  }

  /** Waits for background processes, such as the copy of itself that an uninstaller starts. */
  async settle(): Promise<void> {
    const env = { ...process.env, ...this.#machine.env }
    const child = spawn('wineserver', ['--wait'], { env, stdio: 'ignore' })
    await new Promise((resolve) => child.on('close', resolve))
  }

  /** A registry value, or null; without a name, the key's default value. */
  async value(key: string, name?: string): Promise<string | null> {
    const { output } = await this.run('reg', 'query', key, ...(name ? ['/v', name] : ['/ve']))
    return /\sREG_(?:EXPAND_)?(?:SZ|DWORD) {4}(.*)$/m.exec(output)?.[1]?.trim() ?? null
  }

  /** Files below `users` and `Program Files`, except temporary files and caches. */
  files(): readonly string[] {
    const list = readdirSync(this.at('users'), { recursive: true }) as string[]
    const programs = existsSync(this.at('Program Files'))
      ? (readdirSync(this.at('Program Files'), { recursive: true }) as string[])
      : []
    return [...list, ...programs].filter((path) => !/[\\/](Temp|Cache)[\\/]/.test(path)).sort()
  }

  remove(): void {
    rmSync(this.#output, { recursive: true, force: true })
    rmSync(this.#machine.prefix, { recursive: true, force: true })
    rmSync(`${this.#machine.prefix}.log`, { force: true })
  }
}
