/** `--follow-links`, and dry runs of both sides. */
import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { codeOf, programRig } from './program-rig'
import { linesOf } from './thru'
import { hashTree, writeTree } from './tree'

const { at, thru } = programRig('follow-links')

/** A folder with a link that leads out of it. */
function project(): string {
  writeTree(at(), { 'project/main.txt': 'main', 'outside/far.txt': 'far' })
  symlinkSync(at('outside'), at('project', 'away'))
  return at('project')
}

describe.skipIf(process.platform === 'win32')('a link out of the share', () => {
  it('is named before the code, and sent as what it leads to', async () => {
    const sender = thru(['host', project(), '--once', '--json', '--follow-links'])
    const code = await codeOf(sender)
    const receiver = thru(['join', code, at('in'), '--yes', '--json'])
    expect((await receiver.ended).exitCode).toBe(0)
    const { exitCode, stdout } = await sender.ended
    expect(exitCode).toBe(0)
    const lines = linesOf(stdout)
    const links = [{ path: 'project/away', target: at('outside') }]
    expect(lines).toContainEqual({ type: 'followed-links', count: 1, links })
    const types = lines.map(({ type }) => type)
    expect(types.indexOf('followed-links')).toBeLessThan(types.indexOf('code'))
    expect(hashTree(at('in', 'project', 'away'))).toEqual(hashTree(at('outside')))
  })

  it('gives both sides exit code 8 if it is left out', async () => {
    const sender = thru(['host', project(), '--once', '--json'])
    const receiver = thru(['join', await codeOf(sender), at('in'), '--yes', '--json'])
    expect((await receiver.ended).exitCode).toBe(8)
    expect((await sender.ended).exitCode).toBe(8)
  })
})

describe('a dry run', () => {
  it('of a receive writes nothing, and reports what exists', async () => {
    writeTree(at(), { 'notes.txt': 'new', 'in/notes.txt': 'older' })
    const sender = thru(['host', at('notes.txt'), '--json'])
    const code = await codeOf(sender)
    const { exitCode, stdout } = await thru(['join', code, at('in'), '--dry-run', '--json']).ended
    expect(exitCode).toBe(0)
    const [found] = linesOf(stdout).filter(({ type }) => type === 'preflight')
    expect(found).toMatchObject({ conflicts: { different: 1 }, wantedFiles: 1 })
    expect(linesOf(stdout).map(({ type }) => type)).not.toContain('error')
    const elsewhere = await thru(['join', code, at('other'), '--dry-run']).ended
    expect(elsewhere.exitCode).toBe(0)
    expect(existsSync(at('other'))).toBe(false)
  })

  it('of a share prints its items and makes no code', async () => {
    mkdirSync(at('src'))
    writeTree(at('src'), { 'a.txt': 'a', 'b.tmp': 'b' })
    const { exitCode, stdout, stderr } = await thru([
      ...['host', at('src'), '--dry-run', '--exclude', '*.tmp'],
    ]).ended
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' })
    expect(stderr).toContain('  src/ · 1 file · 1 B\n1 item left out by your patterns')
  })
})
