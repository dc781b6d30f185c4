/** Items under names that the receiver chose. */
import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { codeOf, programRig } from '../program-rig'
import { bytesOf, hashTree, writeTree } from '../tree'

const { at, thru } = programRig('rename')

it('saves a folder and a file under other names, also after an interruption', async () => {
  const large = bytesOf('large', 12 << 20)
  writeTree(at('src'), {
    'docs/a.txt': 'small',
    'docs/large.bin': large,
    'notes.txt': 'notes',
  })
  const items = [at('src', 'docs'), at('src', 'notes.txt')]
  const sender = thru(['host', ...items, '--json'])
  const renames = ['--rename', 'docs=my papers', '--rename', 'notes.txt=docs', '--yes', '--json']
  // The small file is saved before the large one has arrived.
  const slowly = ['--limit-down', '500kB/s', '--first', 'docs/a.txt']
  const receiver = thru(['join', await codeOf(sender), at('dst'), ...renames, ...slowly])
  await receiver.lineWhere('progress', ({ files }) => Number(files) > 0)
  expect((await receiver.stop('SIGINT')).exitCode).toBe(130)
  const resumed = thru(['resume', '1', '--yes', '--json'])
  const done = await resumed.line('done')
  expect(done).toMatchObject({ renamed: 0, mappedCount: 2 })
  expect(done['paths']).toEqual([at('dst', 'my papers'), at('dst', 'docs')])
  expect(Number(done['resumedBytes'])).toBeGreaterThan(0)
  expect((await resumed.ended).exitCode).toBe(0)
  writeTree(at('expected'), {
    'my papers/a.txt': 'small',
    'my papers/large.bin': large,
    docs: 'notes',
  })
  expect(hashTree(at('dst'))).toEqual(hashTree(at('expected')))
})

it('shows the new names before, and neither gives one twice nor replaces a file', async () => {
  writeTree(at(), { 'a.txt': 'a', 'b.txt': 'b', 'dst/c.txt': 'own' })
  const code = await codeOf(thru(['host', at('a.txt'), at('b.txt'), '--json']))
  const join = (...options: readonly string[]) => thru(['join', code, at('dst'), ...options]).ended

  const tried = await join('--rename', 'a.txt=c.txt', '--dry-run')
  expect(tried.exitCode).toBe(0)
  expect(tried.stdout + tried.stderr).toContain('  a.txt as c.txt')
  for (const [rename, reason] of [
    ['a.txt=b.txt', 'Two items would be called "b.txt".'],
    ['a=c.txt', 'The offer has no item "a".'],
    ['c.txt', 'The offer has 2 items'],
    ['a.txt=../c.txt', 'contains a slash'],
  ] as const) {
    const refused = await join('--rename', rename, '--yes')
    expect(refused.exitCode).toBe(2)
    expect(refused.stderr).toContain(reason)
  }
  expect(existsSync(at('dst', 'b.txt'))).toBe(false)

  expect((await join('--rename', 'a.txt=c.txt', '--yes')).exitCode).toBe(0)
  expect(readFileSync(at('dst', 'c.txt'), 'utf8')).toBe('own')
  expect(readFileSync(at('dst', 'c (2).txt'), 'utf8')).toBe('a')
  expect(readFileSync(at('dst', 'b.txt'), 'utf8')).toBe('b')
})
