import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'thru-server-end-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Loaded into the server's process: an uncaught fault at the test's signal. */
const faulty = join(folder, 'faulty.cjs')
writeFileSync(faulty, "process.on('SIGUSR2', () => void Promise.reject(new Error('a bug')))\n")

const programs: Readonly<Record<string, readonly string[]>> = {
  'the server alone': ['out/signaling/server.cjs'],
  'thru serve': ['out/cli/thru.cjs', 'serve'],
}

/** Sends a signal to a listening server, optionally without a reader of its log; returns its exit status and its log. */
async function ended(command: readonly string[], signal: NodeJS.Signals, hasReader = true) {
  const [program = '', ...args] = command
  const child = spawn(
    process.execPath,
    ['--require', faulty, resolve(program), ...args, '--host', '127.0.0.1', '--port', '0'],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  const logged: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    createInterface(stream).on('line', (line) => {
      if (!logged.push(line) || !line.includes('"event":"listening"')) return
      if (!hasReader) for (const output of [child.stdout, child.stderr]) output.destroy()
      child.kill(signal)
    })
  }
  const [status] = (await once(child, 'close')) as [number | null]
  return { status, log: logged.join('\n') }
}

describe.skipIf(process.platform === 'win32').each(Object.keys(programs))('%s', (name) => {
  const command = programs[name] ?? []

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('drains after %s', async (signal) => {
    const { status, log } = await ended(command, signal)
    expect(status).toBe(0)
    expect(log).toContain('"event":"drained"')
  })

  it('drains without a reader of its log', async () => {
    expect((await ended(command, 'SIGTERM', false)).status).toBe(0)
  })

  it('logs an uncaught error, drains and exits with 1', async () => {
    const { status, log } = await ended(command, 'SIGUSR2')
    expect(status).toBe(1)
    expect(log).toContain('"event":"failed"')
    expect(log).toContain('"event":"drained"')
  })
})
