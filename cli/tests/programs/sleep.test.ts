/**
 * Programs that are suspended during a transfer, as by a sleeping computer: SIGSTOP, then SIGCONT. Real
 * time passes, so it needs THRU_LONG_TESTS=1; `native/tests/quic/liveness_test.cc` tests the same in
 * virtual time.
 * @module-tag full
 */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { codeOf, programRig } from './program-rig'
import { type Line, type Thru } from './thru'
import { bytesOf, hashTree, writeTree } from './tree'

const isLong = process.env['THRU_LONG_TESTS'] === '1'
const MiB = 1 << 20
/** Maximum time from waking up to the first new byte. */
const maxMs = 3000

const { at, thru } = programRig('sleep')

const start = (args: readonly string[]): Thru => thru([...args, '--json'])

function signal(programs: readonly Thru[], name: 'SIGSTOP' | 'SIGCONT'): void {
  for (const { pid } of programs) if (pid !== undefined) process.kill(pid, name)
}

const bytesIn = (line: Line | undefined): number => Number(line?.['bytes'])

describe.skipIf(!isLong || process.platform === 'win32')('a transfer', () => {
  it.each([
    ['the receiver', 10],
    ['the receiver', 40],
    ['the sender', 10],
    ['the sender', 25],
    ['the sender', 120],
    ['both', 40],
    ['the receiver', 600],
    ['the sender', 600],
    ['both', 600],
  ] as const)(
    'NET-25: continues soon after %s slept for %i seconds',
    { timeout: 800_000 },
    async (who, seconds) => {
      const source = at('src')
      const target = at('dst')
      writeTree(source, { 'large.bin': bytesOf('large', 48 * MiB) })
      const sender = start(['host', source])
      const code = await codeOf(sender)
      const receiver = start(['join', code, '--out', target, '--yes', '--limit-down', '8MiB'])
      await receiver.lineWhere('progress', (line) => bytesIn(line) > 8 * MiB)
      const sleepers = {
        'the receiver': [receiver],
        'the sender': [sender],
        both: [sender, receiver],
      }[who]
      signal(sleepers, 'SIGSTOP')
      await sleep(seconds * 1000)
      const before = bytesIn((await receiver.lines('progress', 1)).at(-1))
      signal(sleepers, 'SIGCONT')
      const wokeAtMs = performance.now()
      // More data than was already waiting in the system's buffers.
      await receiver.lineWhere('progress', (line) => bytesIn(line) > before + 2 * MiB)
      expect(performance.now() - wokeAtMs).toBeLessThan(maxMs)
      expect((await receiver.ended).exitCode).toBe(0)
      expect(hashTree(join(target, 'src'))).toEqual(hashTree(source))
    },
  )
})
