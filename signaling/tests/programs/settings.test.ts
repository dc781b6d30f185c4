import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'thru-server-settings-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const programs: Readonly<Record<string, readonly string[]>> = {
  'the server alone': ['out/signaling/server.cjs'],
  'thru serve': ['out/cli/thru.cjs', 'serve'],
}

/** The output of a program that ends by itself. */
const said = (command: readonly string[], args: readonly string[]) => {
  const [program = '', ...first] = command
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [resolve(program), ...first, ...args],
    { encoding: 'utf8' },
  )
  return { status, stdout, stderr }
}

class Lines {
  readonly #lines: string[] = []
  #look: () => void = () => undefined

  constructor(child: ChildProcess) {
    for (const stream of [child.stdout, child.stderr]) {
      if (stream === null) continue
      createInterface(stream).on('line', (line) => {
        this.#lines.push(line)
        this.#look()
      })
    }
  }

  /** The first line with this text. */
  async with(text: string): Promise<string> {
    for (;;) {
      const found = this.#lines.find((line) => line.includes(text))
      if (found !== undefined) return found
      await new Promise<void>((next) => (this.#look = next))
    }
  }
}

describe.each(Object.keys(programs))('%s', (name) => {
  const command = programs[name] ?? []

  it('prints the settings, and the place of an invalid one', () => {
    const path = join(folder, 'check.toml')
    writeFileSync(path, 'max-sessions = 77\n')
    const good = said(command, ['--config', path, '--check-config'])
    expect(good).toMatchObject({ status: 0, stderr: '' })
    expect(good.stdout).toContain(`# ${path}, line 1: max-sessions`)
    writeFileSync(path, 'max-sessions = 77\nport = "http"\n')
    const bad = said(command, ['--config', path, '--check-config'])
    expect(bad).toMatchObject({ status: 2, stdout: '' })
    expect(bad.stderr).toContain(`${path}, line 2: port`)
  })

  it.skipIf(process.platform === 'win32')('reloads limits after SIGHUP', async () => {
    const path = join(folder, 'reload.toml')
    writeFileSync(path, 'max-sessions = 77\n')
    const [program = '', ...first] = command
    const args = [...first, '--host', '127.0.0.1', '--port', '0', '--config', path]
    const child = spawn(process.execPath, [resolve(program), ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    onTestFinished(() => {
      child.kill('SIGKILL')
    })
    const closed = once(child, 'close')
    const lines = new Lines(child)
    await lines.with('"event":"listening"')
    writeFileSync(path, 'max-sessions = 78\n')
    child.kill('SIGHUP')
    expect(await lines.with('"event":"reloaded"')).toContain('["max-sessions"]')
    writeFileSync(path, 'max-sessions = none\n')
    child.kill('SIGHUP')
    expect(await lines.with('"event":"reload-refused"')).toContain(path)
    child.kill('SIGTERM')
    expect((await closed)[0]).toBe(0)
  })
})
