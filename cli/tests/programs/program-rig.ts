/** A signaling server for one test file, and for each test a folder and its programs. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { ProgramOutput } from './program-output'
import { Thru, type ThruOptions } from './thru'

/** A test's programs and folder; all of them end with the test. */
export type ProgramRig = {
  /** The address of the signaling server. */
  readonly serverUrl: () => string
  /** A path below the folder of this test. */
  readonly at: (...parts: readonly string[]) => string
  readonly start: (args: readonly string[], options?: ThruOptions) => Thru
  /** Starts a program that uses the signaling server. */
  readonly thru: (args: readonly string[], options?: ThruOptions) => Thru
}

/** Prepares the calling test file; its folders' names begin with `name`. `serving` holds options of its server. */
export function programRig(
  name: string,
  serving: readonly string[] = [],
  options: ThruOptions = {},
): ProgramRig {
  let server: Thru
  let serverUrl: string
  let folder: string
  const running = new Set<Thru>()

  beforeAll(async () => {
    const listening = ['--port', '0', '--host', '127.0.0.1', '--trust-loopback']
    server = new Thru(['serve', ...listening, ...serving], options)
    serverUrl = (await server.match(/ws:\S+/))[0]
  })
  afterAll(() => server.stop())

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), `thru-${name}-`))
  })
  afterEach(async () => {
    await Promise.all([...running].map((program) => program.stop('SIGKILL')))
    rmSync(folder, { recursive: true, force: true })
  })

  const start: ProgramRig['start'] = (args, options) => {
    const program = new Thru(args, options)
    running.add(program)
    void program.ended.then(() => running.delete(program))
    return program
  }
  return {
    serverUrl: () => serverUrl,
    at: (...parts) => join(folder, ...parts),
    start,
    thru: (args, options) => start([...args, '--server-url', serverUrl], options),
  }
}

/** The join code that a sharing program reports. */
export const codeOf = async (sender: ProgramOutput): Promise<string> =>
  String((await sender.line('code'))['code'])
