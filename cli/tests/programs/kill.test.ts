/**
 * Kills `thru` with SIGKILL repeatedly while it sends and receives: no data may be lost, corrupted or
 * sent twice unnecessarily. THRU_LONG_TESTS=1 runs a thousand rounds (THRU_KILL_ROUNDS: any number)
 * and prints the figures of docs/reliability.md.
 * @module-tag full
 */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { codeOf, programRig } from './program-rig'
import { type Line, linesOf, type Thru } from './thru'
import { bytesOf, hashTree, writeTree } from './tree'

const isLong = process.env['THRU_LONG_TESTS'] === '1'
const rounds = Number(process.env['THRU_KILL_ROUNDS'] ?? (isLong ? 1000 : 5))
const MiB = 1 << 20
/** Data that the engine may have in flight beyond the disk: its windows and 4 MiB. */
const maxUnderWay = (64 + 4) * MiB

const { at, thru } = programRig('kill')

const start = (args: readonly string[]): Thru => thru([...args, '--json'])

const stop = async (program: Thru, signal: NodeJS.Signals): Promise<readonly Line[]> =>
  linesOf((await program.stop(signal)).stdout)

/** The same sequence for a seed, so that a failure can be reproduced. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Checks that files under final names are complete. */
function checkFinals(expected: Readonly<Record<string, string>>, target: string): void {
  const found = existsSync(target) ? hashTree(target) : {}
  for (const [path, hash] of Object.entries(found)) {
    if (!/(^|\/)\.~thru-[^/]*$/.test(path)) expect(hash, path).toBe(expected[path])
  }
}

const numberOf = (line: Line | undefined, field: string): number => Number(line?.[field] ?? 0)
const lastOf = (lines: readonly Line[], type: string): Line | undefined =>
  lines.filter((line) => line.type === type).at(-1)
/** The bytes from which an attempt resumed: those present at its first progress. */
function resumedOf(lines: readonly Line[]): number {
  const first = lines.find((line) => line.type === 'progress')
  if (first !== undefined) return numberOf(first, 'bytes') - numberOf(first, 'transferred')
  return numberOf(lastOf(lines, 'done'), 'resumedBytes')
}
const percentile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0

it(
  `survives being killed ${rounds} times at any moment without a wrong or a lost byte`,
  { timeout: rounds * 120_000 },
  async () => {
    const source = at('data')
    writeTree(source, {
      'large.bin': bytesOf('large', (isLong ? 256 : 48) * MiB),
      ...Object.fromEntries(
        Array.from({ length: isLong ? 200 : 30 }, (_, n) => [
          `mid/${n}.bin`,
          bytesOf(`m${n}`, MiB),
        ]),
      ),
      ...Object.fromEntries(
        Array.from({ length: isLong ? 2000 : 300 }, (_, n) => [
          `small/${n % 9}/${n}.txt`,
          bytesOf(`s${n}`, 4096),
        ]),
      ),
      'empty.txt': '',
    })
    const expected = Object.fromEntries(
      Object.entries(hashTree(at())).filter(([path]) => path.startsWith('data')),
    )
    const target = at('target')
    const random = randomFrom(Number(process.env['THRU_SEED'] ?? 20_261))
    const sentAgain: number[] = []
    let completed = 0
    let presentBytes = 0
    let sender: Thru | null = null
    let code = ''
    for (let kills = 0; kills < rounds;) {
      if (sender === null) {
        sender = start(['host', source, '--limit-up', '40MiB'])
        code = await codeOf(sender)
      }
      const receiver = start(['join', code, '--out', target, '--yes'])
      const progressed = 1 + Math.floor(random() * 12)
      const isOver = await Promise.race([
        receiver.ended.then(() => true),
        receiver.lines('progress', progressed).then(() => false),
      ])
      if (isOver) {
        const { exitCode, stdout } = await receiver.ended
        expect(exitCode).toBe(0)
        if (presentBytes > 0) sentAgain.push(Math.max(0, presentBytes - resumedOf(linesOf(stdout))))
        expect(hashTree(target)).toEqual(expected)
        expect(readdirSync(target)).toEqual(['data'])
        rmSync(target, { recursive: true })
        completed += 1
        presentBytes = 0
        continue
      }
      kills += 1
      const choice = random()
      const doesReceiverDie = choice < 0.6 || choice >= 0.9
      if (choice >= 0.6) {
        await stop(sender, 'SIGKILL')
        sender = null
      }
      // A receiver keeps reconnecting after its sender died; people would stop it.
      const lines = await stop(receiver, doesReceiverDie ? 'SIGKILL' : 'SIGINT')
      if (presentBytes > 0) sentAgain.push(Math.max(0, presentBytes - resumedOf(lines)))
      presentBytes = numberOf(lastOf(lines, 'progress'), 'bytes')
      checkFinals(expected, target)
    }
    const sorted = [...sentAgain].sort((a, b) => a - b)
    const figures = {
      kills: rounds,
      completed,
      sentAgainMedianMiB: percentile(sorted, 0.5) / MiB,
      sentAgainP99MiB: percentile(sorted, 0.99) / MiB,
      sentAgainMaxMiB: percentile(sorted, 1) / MiB,
    }
    if (isLong) console.info(JSON.stringify(figures))
    expect(percentile(sorted, 0.99)).toBeLessThanOrEqual(maxUnderWay)
    expect(readFileSync(join(source, 'empty.txt'))).toHaveLength(0)
  },
)
