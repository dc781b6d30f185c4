import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { codeOf, programRig } from './program-rig'
import type { Thru } from './thru'
import { bytesOf, writeTree } from './tree'

const { at, thru } = programRig('pipes')

/** Runs a program as `"$@"` in a line of the shell, which fails as its first failing part does. */
const inShell = (line: string): readonly string[] => ['bash', '-c', `set -o pipefail; ${line}`, '-']

/** Standard output is what the rest of the line makes of the file. */
const joinTo = (code: string, line: string, ...args: readonly string[]): Thru =>
  thru(['join', code, '--out', '-', '--yes', ...args], { within: inShell(line), cwd: at() })

const sha256 = (data: Buffer): string => createHash('sha256').update(data).digest('hex')

/** A prime: segments in the wrong order don't make the same file. */
const patternBytes = 100_003

/** A file of the test's folder, and its hash. */
function write(name: string, bytes: number): string {
  const data = Buffer.alloc(bytes, bytesOf(name, patternBytes))
  writeFileSync(at(name), data)
  return sha256(data)
}

describe.skipIf(process.platform === 'win32')('--out -', () => {
  const host = (...paths: readonly string[]): Thru => thru(['host', ...paths, '--json'])

  it('writes one file in order and nothing else', async () => {
    const hash = write('in', 90_000_000)
    const receiver = joinTo(await codeOf(host(at('in'))), '"$@" | sha256sum')
    expect(await receiver.ended).toMatchObject({ exitCode: 0, stdout: `${hash}  -\n` })
  })

  it('says everything else on standard error, also as JSON', async () => {
    writeTree(at('src'), { a: 'first' })
    const code = await codeOf(host(at('src')))
    const { exitCode, stdout, stderr } = await joinTo(code, '"$@" | cat', '--json').ended
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'first' })
    const types = stderr.split('\n').filter((line) => line.startsWith('{'))
    expect(types.some((line) => line.includes('"type":"accepted","directory":"-"'))).toBe(true)
  })

  it('takes what --only chooses, and refuses several files', async () => {
    writeTree(at('src'), { a: 'first', b: 'second' })
    const code = await codeOf(host(at('src')))
    const one = joinTo(code, '"$@" | cat', '--only', 'b')
    expect(await one.ended).toMatchObject({ exitCode: 0, stdout: 'second' })
    const several = await joinTo(code, '"$@" | cat').ended
    expect(several).toMatchObject({ exitCode: 2, stdout: '' })
    expect(several.stderr).toContain('exactly one file')
  })

  it('ends as other programs do when nobody reads', async () => {
    write('in', 30_000_000)
    const code = await codeOf(host(at('in')))
    const { exitCode, stderr } = await joinTo(code, '"$@" | head -c 1000 > /dev/null').ended
    expect(exitCode).toBe(141)
    expect(stderr).toContain('E_OUTPUT_CLOSED')
  })
})
