import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { codeOf, programRig } from './program-rig'
import type { Thru } from './thru'
import { bytesOf, hashTree, writeTree } from './tree'

const { at, serverUrl, start, thru } = programRig('pipes')

/** Runs a program as `"$@"` in a shell line, which fails with its first failing part. */
const inShell = (line: string): readonly string[] => ['bash', '-c', `set -o pipefail; ${line}`, '-']

const stream = (line: string, ...args: readonly string[]): Thru =>
  thru(['host', '-', '--as', 'data', ...args, '--json'], { within: inShell(line), cwd: at() })

const joinInto = (code: string, folder: string, ...args: readonly string[]): Thru =>
  thru(['join', code, '--out', at(folder), '--yes', '--json', ...args])

/** Pipes a received file into the rest of a shell line; standard output is the result. */
const joinTo = (code: string, line: string, ...args: readonly string[]): Thru =>
  thru(['join', code, '--out', '-', '--yes', ...args], { within: inShell(line), cwd: at() })

const sha256 = (data: Buffer): string => createHash('sha256').update(data).digest('hex')

/** A prime, so that segments in the wrong order change the file. */
const patternBytes = 100_003

/** Writes a file in the test's folder; returns its hash. */
function write(name: string, bytes: number): string {
  const data = Buffer.alloc(bytes, bytesOf(name, patternBytes))
  writeFileSync(at(name), data)
  return sha256(data)
}

describe.skipIf(process.platform === 'win32')('a stream', () => {
  it(
    "carries a program's output of any length, and ends its share",
    { tags: ['full'] },
    async () => {
      writeTree(at('src'), { 'a/b.txt': 'hello', 'a/c.bin': bytesOf('c', 30_000_000) })
      const sender = stream('tar c src | "$@"')
      const receiver = joinTo(await codeOf(sender), 'mkdir dst; "$@" | tar x -C dst')
      expect((await receiver.ended).exitCode).toBe(0)
      expect((await sender.ended).exitCode).toBe(0)
      expect(hashTree(at('dst', 'src'))).toEqual(hashTree(at('src')))
    },
  )

  it.each([0, 1, 262_144, 262_145])('of %i bytes arrives', async (bytes) => {
    const hash = write('in', bytes)
    const receiver = joinInto(await codeOf(stream('cat in | "$@"')), 'dst')
    expect((await receiver.ended).exitCode).toBe(0)
    expect(sha256(readFileSync(at('dst', 'data')))).toBe(hash)
  })

  it('is piped input even without a command, and a code is received', async () => {
    const env = { THRU_SERVER_URL: serverUrl() }
    const sender = start([], { within: inShell('echo remember | "$@"'), env })
    const [, code = ''] = await sender.match(/Code: (\S+)/)
    const receiver = start([code, '--yes', '--out', '-'], { env })
    expect(await receiver.ended).toMatchObject({ exitCode: 0, stdout: 'remember\n' })
    expect((await sender.ended).exitCode).toBe(0)
  })

  it(
    'goes from pipe to pipe, to several receivers of different speeds',
    { tags: ['full'] },
    async () => {
      const hash = write('in', 60_000_000)
      const sender = stream('cat in | "$@"', '--receivers', '2')
      const code = await codeOf(sender)
      const slow = joinTo(code, '"$@" | sha256sum', '--limit-down', '25MB/s')
      const fast = joinTo(code, '"$@" | sha256sum')
      for (const ending of await Promise.all([slow.ended, fast.ended])) {
        expect(ending).toMatchObject({ exitCode: 0, stdout: `${hash}  -\n` })
      }
      expect((await sender.ended).exitCode).toBe(0)
    },
  )

  it('admits no one after it has started', async () => {
    const sender = thru(['host', '-', '--as', 'data', '--json'], {
      within: inShell('(head -c 1000000 /dev/zero; cat) | "$@"'),
      holdsInput: true,
    })
    const code = await codeOf(sender)
    const first = joinInto(code, 'a')
    await first.lineWhere('progress', ({ bytes }) => Number(bytes) > 0)
    const late = joinInto(code, 'b')
    const { exitCode, stdout } = await late.ended
    expect(exitCode).toBe(6)
    expect(stdout).toContain('E_STREAM_STARTED')
    expect(existsSync(at('b', 'data'))).toBe(false)
    await Promise.all([first.stop(), sender.stop()])
  })

  it('that breaks off leaves no file that looks complete', async () => {
    const sender = stream('"$@" < .')
    const receiver = joinInto(await codeOf(sender), 'dst')
    const { exitCode, stdout } = await receiver.ended
    expect(exitCode).toBe(8)
    expect(stdout).toContain('E_STREAM_BROKEN')
    expect(existsSync(at('dst', 'data'))).toBe(false)
    expect((await sender.ended).exitCode).not.toBe(0)
  })
})

describe.skipIf(process.platform === 'win32')('a stream that is known to be incomplete', () => {
  const joinBroken = async (sender: Thru): Promise<void> => {
    const { exitCode, stdout } = await joinInto(await codeOf(sender), 'dst').ended
    expect(exitCode).toBe(8)
    expect(stdout).toContain('E_STREAM_BROKEN')
    expect(existsSync(at('dst', 'data'))).toBe(false)
  }
  const run = (command: string, ...args: readonly string[]): Thru =>
    thru(['host', '--run', command, '--as', 'data', '--json', ...args], { cwd: at() })

  it.each(['999999', '1000001'])('is discarded by receivers: %s bytes announced', async (size) => {
    const sender = stream('head -c 1000000 /dev/zero | "$@"', '--size', size)
    await joinBroken(sender)
    expect((await sender.ended).exitCode).toBe(8)
  })

  it('arrives when it has as many bytes as announced', async () => {
    const sender = stream('head -c 1000000 /dev/zero | "$@"', '--size', '1MB')
    const receiver = joinInto(await codeOf(sender), 'dst')
    expect((await receiver.ended).exitCode).toBe(0)
    expect((await sender.ended).exitCode).toBe(0)
  })

  it('is discarded by receivers if its command fails, whatever arrived before', async () => {
    const sender = run('head -c 1000000 /dev/zero; exit 3')
    await joinBroken(sender)
    const { exitCode, stdout } = await sender.ended
    expect(exitCode).toBe(9)
    expect(stdout).toContain('ended with 3')
  })

  it('ends immediately if its command fails before a receiver joins', async () => {
    const sender = run('exit 4')
    expect((await sender.ended).exitCode).toBe(9)
  })

  it('is complete for each receiver if its command succeeds', async () => {
    const hash = write('in', 5_000_000)
    const sender = run('cat in', '--receivers', '2')
    const code = await codeOf(sender)
    const both = ['a', 'b'].map((folder) => joinInto(code, folder).ended)
    for (const { exitCode } of await Promise.all(both)) expect(exitCode).toBe(0)
    expect((await sender.ended).exitCode).toBe(0)
    expect(sha256(readFileSync(at('b', 'data')))).toBe(hash)
  })
})

describe.skipIf(process.platform === 'win32')('--out -', () => {
  const host = (...paths: readonly string[]): Thru => thru(['host', ...paths, '--json'])

  it('writes one file in order and nothing else', async () => {
    const hash = write('in', 90_000_000)
    const receiver = joinTo(await codeOf(host(at('in'))), '"$@" | sha256sum')
    expect(await receiver.ended).toMatchObject({ exitCode: 0, stdout: `${hash}  -\n` })
  })

  it('accepts one file selected by --only, and refuses several', async () => {
    writeTree(at('src'), { a: 'first', b: 'second' })
    const code = await codeOf(host(at('src')))
    const one = joinTo(code, '"$@" | cat', '--only', 'b')
    expect(await one.ended).toMatchObject({ exitCode: 0, stdout: 'second' })
    expect(await joinTo(code, '"$@" | cat').ended).toMatchObject({ exitCode: 2, stdout: '' })
  })

  it('never writes a file to a terminal, unless a person pipes it there', async () => {
    const title = '\u001b]0;taken over\u0007'
    writeFileSync(at('in'), title)
    const code = await codeOf(host(at('in')))
    const joinOnTerminal = (out: readonly string[], within: readonly string[] = []): Thru =>
      thru(['join', code, '--yes', ...out], { isOnTerminal: true, cwd: at(), within })
    for (const refused of [joinOnTerminal(['--out', '-']), joinOnTerminal(['-'])]) {
      const { exitCode, stdout } = await refused.ended
      expect([exitCode, stdout.includes(title)]).toEqual([2, false])
      expect(stdout).toContain('| cat')
    }
    // Quoted twice, because the terminal starts a shell.
    const line = ['sh', '-c', `'"$@" | cat'`, '-']
    const piped = await joinOnTerminal(['--out', '-'], line).ended
    expect([piped.exitCode, piped.stdout.includes(title)]).toEqual([0, true])
  })

  it('ends like other programs if its reader has closed', async () => {
    write('in', 30_000_000)
    const code = await codeOf(host(at('in')))
    const { exitCode, stderr } = await joinTo(code, '"$@" | head -c 1000 > /dev/null').ended
    expect(exitCode).toBe(141)
    expect(stderr).toContain('stopped early')
  })
})
