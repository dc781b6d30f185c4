/** A file that the same sender sent before is updated, unless it was changed here. */
import { readFileSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, it } from 'vitest'
import { codeOf, programRig } from '../program-rig'
import { hashTree, writeTree } from '../tree'

const { at, thru } = programRig('update-unchanged')

/** Older kernels store no extended attributes there. */
const isTmpfs = statfsSync(tmpdir()).type === 0x01021994

/** Sends the file once, and returns the receiver's report. */
const send = async (path: string): Promise<Record<string, unknown>> => {
  const sender = thru(['host', path, '--json', '--once'])
  const receiver = thru(['join', await codeOf(sender), at('dst'), '--yes', '--json'])
  const { conflicts } = await receiver.line('started')
  const done = await receiver.line('done')
  expect((await receiver.ended).exitCode).toBe(0)
  await sender.ended
  return { ...done, conflicts }
}

it.skipIf(isTmpfs)('updates what the same sender sent, and keeps local changes', async () => {
  for (const content of ['first', 'the second']) {
    writeTree(at('src'), { 'notes.txt': content })
    expect(await send(at('src', 'notes.txt'))).toMatchObject({ renamed: 0 })
    expect(readFileSync(at('dst', 'notes.txt'), 'utf8')).toBe(content)
  }
  // Another item of the same name is another file, even on the same computer.
  writeTree(at('elsewhere'), { 'notes.txt': 'different notes' })
  expect(await send(at('elsewhere', 'notes.txt'))).toMatchObject({ renamed: 1 })
  expect(readFileSync(at('dst', 'notes.txt'), 'utf8')).toBe('the second')
  writeFileSync(at('dst', 'notes.txt'), 'my own')
  writeTree(at('src'), { 'notes.txt': 'and the third' })
  const report = await send(at('src', 'notes.txt'))
  expect(report).toMatchObject({ renamed: 1, conflicts: { keptBoth: 1, replaced: 0 } })
  expect(readFileSync(at('dst', 'notes.txt'), 'utf8')).toBe('my own')
  expect(Object.keys(hashTree(at('dst')))).toHaveLength(3)
})
