/** A share that ends with its program and is resumed with `thru host --resume`. */
import { readFileSync, symlinkSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { codeOf, programRig } from './program-rig'
import { linesOf } from './thru'
import { bytesOf, hashTree, writeTree } from './tree'

const MiB = 1 << 20

const { at, thru, start } = programRig('resume-share')

/** Separate accounts, so that tests don't see each other's shares. */
const account = (name: string) => ({ env: { XDG_STATE_HOME: at(name) } })

const shares = (name: string): string =>
  readFileSync(join(at(name), 'thruflux', 'shares.json'), 'utf8')

/** A share of 24 MiB with a receiver midway. */
async function midway() {
  const source = at('data')
  writeTree(source, { 'large.bin': bytesOf('large', 24 * MiB), 'small.txt': 'small' })
  const args = ['host', source, '--json', '--limit-up', '4MiB']
  const sender = thru(args, account('sender'))
  const code = await codeOf(sender)
  const target = at('target')
  const receiver = thru(['join', code, '--out', target, '--yes', '--json'], account('receiver'))
  await receiver.lines('progress', 5)
  return { source, sender, receiver, target, code }
}

it('keeps its code after SIGKILL, and its waiting receiver finishes automatically', async () => {
  const { source, sender, receiver, target, code } = await midway()
  await sender.stop('SIGKILL')
  const again = thru(['host', '--resume', '--json'], account('sender'))
  expect(await codeOf(again)).toBe(code)
  const { exitCode, stdout } = await receiver.ended
  expect(exitCode).toBe(0)
  expect(hashTree(join(target, 'data'))).toEqual(hashTree(source))
  const done = linesOf(stdout).find(({ type }) => type === 'done')
  expect(Number(done?.['transferred'])).toBeLessThan(40 * MiB)
  await again.stop()
  expect(JSON.parse(shares('sender'))).toMatchObject({ shares: [] })
})

it('counts what its receiver kept of an older file before the sender died', async () => {
  const content = bytesOf('updated', 24 * MiB)
  const kept = 16 * MiB
  writeTree(at('new'), { 'large.bin': content })
  writeTree(at('old'), {
    'large.bin': Buffer.concat([content.subarray(0, kept), bytesOf('other', MiB)]),
  })
  const args = ['host', at('new', 'large.bin'), '--json', '--limit-up', '4MiB']
  const sender = thru(args, account('updating'))
  const joining = ['join', await codeOf(sender), '--out', at('old'), '--yes', '--json']
  const receiver = thru([...joining, '--conflict', 'update'], account('updated'))
  await receiver.line('started')
  await sender.stop('SIGKILL')
  const again = thru(['host', '--resume', '--json'], account('updating'))
  const done = await receiver.line('done')
  expect(Number(done['reusedBytes'])).toBeGreaterThan(kept - MiB)
  expect(Number(done['reusedBytes'])).toBeLessThanOrEqual(kept)
  expect((await receiver.ended).exitCode).toBe(0)
  expect(hashTree(at('old'))).toEqual(hashTree(at('new')))
  await again.stop()
})

it(
  'prints how to resume it after Ctrl-C during a transfer, and its receiver resumes',
  { tags: ['full'] },
  async () => {
    const { source, sender, receiver, target, code } = await midway()
    await sender.stop('SIGINT')
    await receiver.ended
    const again = thru(['host', '--resume', '1'], account('sender'))
    await again.match(new RegExp(code))
    const resumed = thru(['resume', '1', '--yes', '--json'], account('receiver'))
    expect(await resumed.ended).toMatchObject({ exitCode: 0 })
    expect(hashTree(join(target, 'data'))).toEqual(hashTree(source))
  },
)

it('does not offer the target of a link that took the place of its file', async () => {
  writeTree(at('swapped'), { 'notes.txt': 'mine', 'secret.txt': 'secret' })
  const notes = at('swapped', 'notes.txt')
  const sender = thru(['host', notes, '--json'], account('swapper'))
  await codeOf(sender)
  await expect.poll(() => shares('swapper'), { timeout: 60_000 }).toContain('resolved')
  await sender.stop('SIGKILL')
  unlinkSync(notes)
  symlinkSync('secret.txt', notes)
  const again = thru(['host', '--resume', '--json'], account('swapper'))
  const { exitCode, stdout } = await again.ended
  expect(exitCode).toBe(9)
  const problems = linesOf(stdout).filter(({ type }) => type === 'problem')
  expect(problems).toMatchObject([{ code: 'E_SOURCE_CHANGED' }])
})

it('is not kept after a stop without receivers', async () => {
  writeTree(at('data'), { 'small.txt': 'small' })
  const sender = thru(['host', at('data'), '--json'], account('sender'))
  await codeOf(sender)
  await sender.stop('SIGINT')
  expect(JSON.parse(shares('sender'))).toMatchObject({ shares: [] })
  const none = start(['host', '--resume'], account('sender'))
  const { exitCode, stderr } = await none.ended
  expect(exitCode).toBe(2)
  expect(stderr).toContain('No share was interrupted')
})

it('belongs to the program that shares it, and is listed if there are several', async () => {
  writeTree(at('data'), { 'small.txt': 'small' })
  const senders = ['a', 'b'].map(() => thru(['host', at('data'), '--json'], account('sender')))
  await Promise.all(senders.map(codeOf))
  expect(await start(['host', '--resume'], account('sender')).ended).toMatchObject({ exitCode: 2 })
  await Promise.all(senders.map((sender) => sender.stop('SIGKILL')))
  const list = await start(['host', '--resume', '--json'], account('sender')).ended
  expect(linesOf(list.stdout)).toMatchObject([
    { type: 'interrupted-share', number: 1, title: 'data', receivers: 0 },
    { type: 'interrupted-share', number: 2 },
  ])
  expect(list.stdout).not.toMatch(/-[a-z]+-/)
})
