/** Files with several names in a share. */
import { linkSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { codeOf, programRig } from './program-rig'
import { bytesOf, hashTree, writeTree } from './tree'

const { at, thru } = programRig('hard-links')

const bytes = 3_000_000

/** Separate accounts, so that the two don't see each other's transfers. */
const account = (name: string) => ({ env: { XDG_STATE_HOME: at(name) } })

/** A folder with three names of one file. */
function writeLinked(): void {
  writeTree(at('src'), { 'first.raw': bytesOf('photo', bytes), 'notes.txt': 'remember' })
  mkdirSync(at('src', 'below'))
  linkSync(at('src', 'first.raw'), at('src', 'second.raw'))
  linkSync(at('src', 'first.raw'), at('src', 'below', 'third.raw'))
}

const names = ['first.raw', 'second.raw', join('below', 'third.raw')]
const filesOf = (...folder: readonly string[]): Set<number> =>
  new Set(names.map((name) => statSync(at(...folder, name)).ino))

it('keeps the names of one file together, and sends it once', async () => {
  writeLinked()
  const code = await codeOf(thru(['host', at('src'), '--json']))
  const receiver = thru(['join', code, '--out', at('dst'), '--yes', '--json'])
  const done = await receiver.line('done')
  expect(done).toMatchObject({ files: 4, bytes: 3 * bytes + 8, problems: 0, renamed: 0 })
  expect(Number(done['transferred'])).toBeLessThan(1.1 * bytes)
  expect((await receiver.ended).exitCode).toBe(0)
  expect(hashTree(at('dst', 'src'))).toEqual(hashTree(at('src')))
  expect(filesOf('dst', 'src').size).toBe(1)
})

it('keeps them together in later rounds', { tags: ['full'] }, async () => {
  writeLinked()
  const code = await codeOf(thru(['host', at('src'), '--watch', '--json'], account('sender')))
  const options = ['--yes', '--json', '--follow']
  const receiver = thru(['join', code, '--out', at('dst'), ...options], account('receiver'))
  await receiver.line('in-step')
  writeFileSync(at('src', 'second.raw'), 'newer')
  for (let count = 1; statSync(at('dst', 'src', 'first.raw')).size !== 5; count += 1)
    await receiver.lines('in-step', count)
  for (let count = 1; statSync(at('dst', 'src', names[2] ?? '')).size !== 5; count += 1)
    await receiver.lines('in-step', count)
  expect(filesOf('dst', 'src').size).toBe(1)
})

it('receives the other names when one is not wanted', { tags: ['full'] }, async () => {
  writeLinked()
  const code = await codeOf(thru(['host', at('src'), '--json']))
  const options = ['--yes', '--json', '--exclude', 'first.raw']
  const receiver = thru(['join', code, '--out', at('dst'), ...options])
  expect((await receiver.ended).exitCode).toBe(0)
  const rest = names.slice(1).map((name) => statSync(at('dst', 'src', name)))
  expect(rest.map(({ size }) => size)).toEqual([bytes, bytes])
  expect(new Set(rest.map(({ ino }) => ino)).size).toBe(1)
})
