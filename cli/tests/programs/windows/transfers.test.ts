import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { windowsPath } from '../../../../scripts/deps/wine.mjs'
import { linesOf, type ProgramOutput } from '../program-output'
import { codeOf, programRig } from '../program-rig'
import { album, bytesOf, hashTree, type Tree, writeTree } from '../tree'
import { WindowsThru } from './windows-thru'

const { at, serverUrl, thru } = programRig('windows')

const onWindows = (...args: readonly string[]): WindowsThru =>
  new WindowsThru([...args, '--server-url', serverUrl(), '--json'])

const hostOnLinux = (path: string): ProgramOutput & { stop: () => Promise<unknown> } =>
  thru(['host', path, '--json', '--name', 'Mina'])
const joinOnWindows = (code: string, out: string, ...more: readonly string[]): WindowsThru =>
  onWindows('join', code, '--out', windowsPath(out), '--yes', ...more)

/** Sends a tree from Linux to Windows; returns the receiver's output after its end. */
async function toWindows(tree: Tree, ...more: readonly string[]) {
  writeTree(at('src'), tree)
  const sender = hostOnLinux(at('src'))
  const ending = await joinOnWindows(await codeOf(sender), at('dst'), ...more).ended
  await sender.stop()
  return ending
}

const many = Object.fromEntries(
  Array.from({ length: 10_000 }, (_, index) => [`${index % 100}/${index}.txt`, `file ${index}`]),
)

describe('a transfer from Linux to Windows', () => {
  it('brings files and folders with every name and byte', async () => {
    const { exitCode, stdout, stderr } = await toWindows(album())
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(hashTree(at('dst', 'src'))).toEqual(hashTree(at('src')))
    expect(linesOf(stdout).find(({ type }) => type === 'done')).toMatchObject({ problems: 0 })
  })

  it('brings 10,000 files', async () => {
    expect((await toWindows(many)).exitCode).toBe(0)
    expect(hashTree(at('dst', 'src'))).toEqual(hashTree(at('src')))
  }, 300_000)

  it('changes names that Windows reserves or refuses to similar ones', async () => {
    const names = ['con', 'aux.txt', 'what?.txt', 'dot.', 'back\\slash', 'a.txt:stream', 'LPT1.log']
    await toWindows(Object.fromEntries(names.map((name) => [name, name])))
    const written = readdirSync(at('dst', 'src')).sort()
    expect(written).toHaveLength(names.length)
    for (const name of written) expect(name).not.toMatch(/[?:\\]|[. ]$|^(con|aux|lpt1)(\.|$)/i)
    const contents = written.map((name) => readFileSync(at('dst', 'src', name), 'utf8'))
    expect(contents.sort()).toEqual(names.sort())
  })

  it('keeps files apart whose names differ in case only', async () => {
    await toWindows({ 'Readme.md': 'one', 'README.md': 'two' })
    const written = readdirSync(at('dst', 'src'))
    expect(new Set(written.map((name) => name.toLowerCase())).size).toBe(2)
    const contents = written.map((name) => readFileSync(at('dst', 'src', name), 'utf8'))
    expect(contents.sort()).toEqual(['one', 'two'])
  })

  it('writes paths of more than 260 characters', async () => {
    const path = `${Array.from({ length: 9 }, (_, depth) => `${depth}-${'x'.repeat(40)}`).join('/')}/end.txt`
    expect((await toWindows({ [path]: 'deep' })).exitCode).toBe(0)
    expect(readFileSync(at('dst', 'src', path), 'utf8')).toBe('deep')
  })

  it('resumes where it stopped when the receiver was killed', async () => {
    writeTree(at('src'), { 'big.bin': bytesOf('big', 60_000_000) })
    const sender = thru(['host', at('src'), '--json', '--limit-up', '8MB'])
    const code = await codeOf(sender)
    const first = joinOnWindows(code, at('dst'))
    await first.line('progress')
    await first.stop('SIGKILL')
    const second = joinOnWindows(code, at('dst'))
    expect((await second.ended).exitCode).toBe(0)
    expect(hashTree(at('dst', 'src'))).toEqual(hashTree(at('src')))
    await sender.stop()
  })
})

describe('a transfer from Windows to Linux', () => {
  const fromWindows = async (): Promise<void> => {
    const sender = onWindows('host', windowsPath(at('src')))
    const code = await codeOf(sender)
    const receiver = thru(['join', code, '--out', at('dst'), '--yes', '--json'])
    expect((await receiver.ended).exitCode).toBe(0)
    expect((await sender.stop()).exitCode).toBe(0)
  }

  it('brings files and folders with every name and byte', async () => {
    writeTree(at('src'), album())
    await fromWindows()
    expect(hashTree(at('dst', 'src'))).toEqual(hashTree(at('src')))
  })

  it('brings 10,000 files', async () => {
    writeTree(at('src'), many)
    await fromWindows()
    expect(hashTree(at('dst', 'src'))).toEqual(hashTree(at('src')))
  })
})

it('the engine is loaded, and the network of this computer is seen', async () => {
  const { stdout } = await new WindowsThru(['doctor']).ended
  expect(stdout).toMatch(/^ok {3}The engine/)
  expect(stdout).toContain('This computer has IPv4')
})
