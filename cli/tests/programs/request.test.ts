import { writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { codeOf, programRig } from './program-rig'
import { linesOf, type Thru } from './thru'
import { album, bytesOf, hashTree, writeTree } from './tree'

const { at, thru } = programRig('request')

const MiB = 1 << 20

const request = (...more: readonly string[]): Thru =>
  thru(['request', at('dst'), '--yes', '--json', '--name', 'Mina', ...more])
const sendTo = (code: string, paths: readonly string[], ...more: readonly string[]): Thru =>
  thru(['host', ...paths, '--for', code, '--json', '--name', 'Jonas', ...more])

describe('a request for files', () => {
  it('receives every name and byte from the first sender, and then ends', async () => {
    writeTree(at('src'), { ...album(), 'notes.txt': 'remember' })
    const requester = request()
    const sender = sendTo(await codeOf(requester), [at('src', 'album'), at('src', 'notes.txt')])
    const [received, sent] = await Promise.all([requester.ended, sender.ended])
    expect([received.exitCode, sent.exitCode]).toEqual([0, 0])
    expect(hashTree(at('dst'))).toEqual(hashTree(at('src')))
    const types = linesOf(received.stdout).map(({ type }) => type)
    expect(types.filter((type) => ['offer', 'accepted', 'done'].includes(type))).toEqual([
      'offer',
      'accepted',
      'done',
    ])
  })

  it('tells someone who wants to receive what the code is for', async () => {
    const requester = request()
    const joined = await thru(['join', await codeOf(requester), '--yes', '--out', at('in')]).ended
    expect(joined.exitCode).toBe(3)
    expect(joined.stderr).toContain('This code asks for files')
    expect(joined.stderr).toContain('thru host PATH --for CODE')
    await requester.stop()
  })

  it('tells someone who wants to send that a code shares files', async () => {
    writeTree(at('src'), { 'notes.txt': 'remember' })
    const sharer = thru(['host', at('src', 'notes.txt'), '--json'])
    const sender = await sendTo(await codeOf(sharer), [at('src')]).ended
    expect(sender.exitCode).toBe(3)
    expect(linesOf(sender.stdout)).toContainEqual(
      expect.objectContaining({
        type: 'error',
        code: 'E_CODE_SHARES',
        // An older sharer says nothing, and the sender gives up much later.
        detail: 'said by the other side',
      }),
    )
    await sharer.stop()
  })

  it('admits nobody with wrong words', { tags: ['full'] }, async () => {
    writeTree(at('src'), { 'notes.txt': 'remember' })
    const requester = request('--words', 'apple kayak onion')
    const code = await codeOf(requester)
    const wrong = await sendTo(code.replace('onion', 'stopwatch'), [at('src')]).ended
    expect(wrong.exitCode).toBe(3)
    const errors = linesOf(wrong.stdout).filter(({ type }) => type === 'error')
    expect(errors).toMatchObject([{ code: 'E_CODE_MISMATCH' }])
    expect(await requester.line('guesses')).toMatchObject({ wrong: 1, locked: false })
    expect((await sendTo(code, [at('src')]).ended).exitCode).toBe(0)
    expect((await requester.ended).exitCode).toBe(0)
  })

  it('keeps what is there, and receives from several senders', { tags: ['full'] }, async () => {
    writeTree(at('one'), { 'notes.txt': 'one' })
    writeTree(at('two'), { 'notes.txt': 'another' })
    const requester = request('--keep-open')
    const code = await codeOf(requester)
    expect((await sendTo(code, [at('one', 'notes.txt')]).ended).exitCode).toBe(0)
    expect((await sendTo(code, [at('two', 'notes.txt')]).ended).exitCode).toBe(0)
    // A sender may end before the requester has noted that everything is there.
    await requester.lines('done', 2)
    expect((await requester.stop()).exitCode).toBe(0)
    expect(Object.keys(hashTree(at('dst')))).toHaveLength(2)
  })
})

describe('a request whose programs are killed', { tags: ['full'] }, () => {
  /** Slow enough that a kill comes in the middle. */
  const slowly = ['--limit-up', '4MB/s']

  /** Resolves once the requester has part of the data. */
  const received = (requester: Thru) =>
    requester.lineWhere('progress', ({ bytes }) => Number(bytes) >= 8 * MiB)

  it('goes on when the sender starts again with the same code', async () => {
    writeFileSync(at('big.bin'), bytesOf('big', 48 * MiB))
    const requester = request()
    const code = await codeOf(requester)
    const first = sendTo(code, [at('big.bin')], ...slowly)
    await received(requester)
    await first.stop('SIGKILL')
    const second = await sendTo(code, [at('big.bin')]).ended
    expect(second.exitCode).toBe(0)
    const end = await requester.ended
    expect(end.exitCode).toBe(0)
    const lines = linesOf(end.stdout)
    expect(lines.filter(({ type }) => type === 'accepted')).toHaveLength(2)
    expect(lines.filter(({ type }) => type === 'done')).toHaveLength(1)
    expect(hashTree(at('dst'))['big.bin']).toBe(hashTree(at())['big.bin'])
  })

  it('goes on when the requester makes another code for the same folder', async () => {
    writeFileSync(at('big.bin'), bytesOf('big', 48 * MiB))
    const first = request()
    const sender = sendTo(await codeOf(first), [at('big.bin')], ...slowly)
    await received(first)
    await first.stop('SIGKILL')
    await sender.stop('SIGKILL')
    const second = request()
    await sendTo(await codeOf(second), [at('big.bin')]).ended
    const end = await second.ended
    expect(end.exitCode).toBe(0)
    const done = linesOf(end.stdout).find(({ type }) => type === 'done')
    expect(done).toMatchObject({ problems: 0 })
    expect(Number(done?.['resumedBytes'])).toBeGreaterThan(0)
    expect(hashTree(at('dst'))['big.bin']).toBe(hashTree(at())['big.bin'])
  })
})
