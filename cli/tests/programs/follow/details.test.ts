/** A receiver that follows: names that are taken, permissions, times, linked items, and its end. */
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { describe, expect, it } from 'vitest'
import { codeOf } from '../program-rig'
import { bytesOf, writeTree } from '../tree'
import { followRig } from './follow-rig'

const { at, thru, account, site, copy, following, until } = followRig('follow-details')

/** Receives the site once, and replaces older files. */
async function update(): Promise<number> {
  const sender = thru(['host', site(), '--once', '--json'], account('sender'))
  const args = ['join', await codeOf(sender), at('copy'), '--update', '--yes']
  return (await thru(args, account('receiver')).ended).exitCode
}

const has = (path: string, content: string) => (): boolean =>
  existsSync(path) && readFileSync(path, 'utf8') === content
const modeOf = (path: string): number => statSync(path).mode & 0o777

it('reports a file whose name a folder has, without copies', { tags: ['full'] }, async () => {
  writeTree(at(), { 'site/a': 'one', 'site/index': 'one', 'copy/site/a/own': 'mine' })
  const { receiver } = await following()
  const problem = await receiver.line('problem')
  expect(problem).toMatchObject({ path: 'site/a', code: 'E_TARGET_NOT_WRITABLE' })
  expect(problem['what']).toContain('already has its name')
  for (const content of ['two', 'and three']) {
    writeTree(site(), { a: content, index: content })
    await until(receiver, has(copy('index'), content))
  }
  expect(readdirSync(copy()).sort()).toEqual(['a', 'index'])
  renameSync(copy('a'), at('elsewhere'))
  writeTree(site(), { a: 'four', index: 'four' })
  await until(receiver, has(copy('a'), 'four'))
})

describe.skipIf(process.platform === 'win32')('permissions', () => {
  it('to execute are followed, and all others are those of the replaced file', async () => {
    writeTree(site(), { tool: 'one' })
    const { receiver } = await following()
    chmodSync(copy('tool'), 0o640)
    chmodSync(site('tool'), 0o755)
    await until(receiver, () => modeOf(copy('tool')) === 0o750)
    writeFileSync(site('tool'), 'and two')
    await until(receiver, has(copy('tool'), 'and two'))
    expect(modeOf(copy('tool'))).toBe(0o750)
  })

  it('to execute are updated without other changes', { tags: ['full'] }, async () => {
    writeTree(site(), { tool: 'one' })
    expect(await update()).toBe(0)
    chmodSync(copy('tool'), 0o600)
    chmodSync(site('tool'), 0o755)
    expect(await update()).toBe(0)
    expect(modeOf(copy('tool'))).toBe(0o700)
  })
})

it('sends no file again that has the time of the receiver', async () => {
  writeTree(site(), { image: bytesOf('image', 500_000), note: 'one' })
  utimesSync(site('image'), 1e9, 1e9)
  const { receiver } = await following(['--set', 'receiving.keepTimes=no'])
  writeFileSync(site('note'), 'and two')
  await until(receiver, has(copy('note'), 'and two'))
  const [, second] = await receiver.lines('in-step', 2)
  expect(Number(second?.['transferred'])).toBeLessThan(1000)
  expect(statSync(copy('image')).mtimeMs).toBeGreaterThan(1e12)
})

it('ends with 0 when it is stopped while it is up to date', async () => {
  writeTree(site(), { index: 'one' })
  const { receiver } = await following()
  expect((await receiver.stop('SIGINT')).exitCode).toBe(0)
})

it('follows the target of a link in another folder', async () => {
  writeTree(at('elsewhere'), { 'note.txt': 'one' })
  mkdirSync(at('links'))
  symlinkSync(at('elsewhere', 'note.txt'), at('links', 'note.txt'))
  const { receiver } = await following([], at('links', 'note.txt'))
  appendFileSync(at('elsewhere', 'note.txt'), ' and two')
  await until(receiver, has(at('copy', 'note.txt'), 'one and two'))
})
