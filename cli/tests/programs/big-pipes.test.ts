/**
 * Large streams to two receivers, one of them slow: every byte arrives, and memory stays bounded whatever the
 * length. THRU_LONG_TESTS=1 streams a gibibyte.
 * @module-tag full
 */
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { peakMiB } from './net/scene'
import { codeOf, programRig } from './program-rig'
import { type Ending, type Thru } from './thru'

const { at, thru } = programRig('big-pipes')

const isLong = process.env['THRU_LONG_TESTS'] === '1'
const bytes = isLong ? 1024 ** 3 : 64_000_000
const slowly = isLong ? '80MB/s' : '40MB/s'

/** The 96 MiB window of the stream, data in flight to two receivers, and the program itself. */
const maxOfSender = 420
/** Data waiting behind a missing segment, and the program itself. */
const maxOfReceiver = 320

const peakMemory = fileURLToPath(new URL('net/peak-memory.cjs', import.meta.url))
const env = { NODE_OPTIONS: `--require=${peakMemory}` }

const inShell = (line: string): readonly string[] => ['bash', '-c', `set -o pipefail; ${line}`, '-']

/** Different in every block, but the same in every run. */
const pseudoRandom =
  'openssl enc -aes-128-ctr -nosalt -K 00112233445566778899aabbccddeeff -iv 0 < /dev/zero 2> /dev/null'

const joinTo = (code: string, ...more: readonly string[]): Thru =>
  thru(['join', code, '--out', '-', '--yes', ...more], { within: inShell('"$@" | sha256sum'), env })

const hashOf = ({ stdout }: Ending): string => stdout.slice(0, 64)

async function stream(producer: string) {
  // SIGPIPE ends the endless producer, which isn't a failure.
  const line = `(${producer} || true) | head -c ${bytes} | "$@"`
  const args = ['host', '-', '--as', 'data', '--receivers', '2', '--json']
  const sender = thru(args, { within: inShell(line), cwd: at(), env })
  const code = await codeOf(sender)
  const receivers = [joinTo(code, '--limit-down', slowly), joinTo(code)].map(({ ended }) => ended)
  const [first, second] = await Promise.all(receivers)
  return { sent: await sender.ended, received: [first, second].filter((one) => one !== undefined) }
}

describe.skipIf(process.platform !== 'linux')('a large stream', () => {
  it.each([
    ['zeros', 'cat /dev/zero'],
    ['pseudo-random bytes', pseudoRandom],
  ])(
    'of %s arrives completely at a fast and at a slow receiver, in bounded memory',
    async (_, producer) => {
      const { sent, received } = await stream(producer)
      expect(sent.exitCode).toBe(0)
      expect(received.map(({ exitCode }) => exitCode)).toEqual([0, 0])
      const expected = await hashOfProducer(producer)
      expect(received.map(hashOf)).toEqual([expected, expected])
      expect(peakMiB(sent)).toBeLessThan(maxOfSender)
      expect(Math.max(...received.map(peakMiB))).toBeLessThan(maxOfReceiver)
    },
    isLong ? 600_000 : 30_000,
  )
})

async function hashOfProducer(producer: string): Promise<string> {
  const line = `(${producer} || true) | head -c ${bytes} | sha256sum; "$@" > /dev/null`
  return hashOf(await thru(['--version'], { within: inShell(line) }).ended)
}
