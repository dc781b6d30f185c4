/**
 * Ends `thru` with SIGKILL again and again while it sends and receives: nothing may be lost, wrong or
 * sent twice without need. THRU_LONG_TESTS=1 makes it a thousand rounds (THRU_KILL_ROUNDS: any
 * number) and prints the figures of docs/reliability.md.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { type Line, linesOf, Thru } from './thru'
import { bytesOf, hashTree, writeTree } from './tree'

const isLong = process.env['THRU_LONG_TESTS'] === '1'
const rounds = Number(process.env['THRU_KILL_ROUNDS'] ?? (isLong ? 1000 : 8))
const MiB = 1 << 20
/** What the engine may have under way beyond what is on the disk: its windows, and 4 MiB. */
const mostUnderWay = (64 + 4) * MiB

let server: Thru
let serverUrl: string
let folder: string
const running = new Set<Thru>()

beforeAll(async () => {
  server = new Thru(['serve', '--port', '0', '--host', '127.0.0.1', '--trust-loopback'])
  serverUrl = (await server.match(/ws:\S+/))[0]
})
afterAll(() => server.stop())
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'thru-kill-'))
})
afterEach(async () => {
  await Promise.all([...running].map((program) => program.stop('SIGKILL')))
  running.clear()
  rmSync(folder, { recursive: true, force: true })
})

function start(args: readonly string[]): Thru {
  const program = new Thru([...args, '--json', '--server-url', serverUrl])
  running.add(program)
  return program
}

async function kill(program: Thru): Promise<readonly Line[]> {
  running.delete(program)
  return linesOf((await program.stop('SIGKILL')).stdout)
}

/** The same sequence for a seed, so that a failure can be repeated. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Files under final names are whole, whatever was killed. */
function checkFinals(expected: Readonly<Record<string, string>>, target: string): void {
  const found = existsSync(target) ? hashTree(target) : {}
  for (const [path, hash] of Object.entries(found)) {
    if (!/(^|\/)\.~thru-[^/]*$/.test(path)) expect(hash, path).toBe(expected[path])
  }
}

const numberOf = (line: Line | undefined, field: string): number => Number(line?.[field] ?? 0)
const lastOf = (lines: readonly Line[], type: string): Line | undefined =>
  lines.filter((line) => line.type === type).at(-1)
/** What an attempt went on from: all that was here when its first bytes came. */
function resumedOf(lines: readonly Line[]): number {
  const first = lines.find((line) => line.type === 'progress')
  if (first !== undefined) return numberOf(first, 'bytes') - numberOf(first, 'transferred')
  return numberOf(lastOf(lines, 'done'), 'resumedBytes')
}
const percentile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0

it(
  `survives being killed ${rounds} times at any moment without a wrong or a lost byte`,
  { timeout: rounds * 30_000 },
  async () => {
    const source = join(folder, 'data')
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
      Object.entries(hashTree(folder)).filter(([path]) => path.startsWith('data')),
    )
    const target = join(folder, 'target')
    const random = randomFrom(Number(process.env['THRU_SEED'] ?? 20_261))
    const sentAgain: number[] = []
    let completed = 0
    let here = 0
    let sender: Thru | null = null
    let code = ''
    for (let kills = 0; kills < rounds;) {
      if (sender === null) {
        sender = start(['host', source, '--limit-up', '40MiB'])
        code = String((await sender.line('code'))['code'])
      }
      const receiver = start(['join', code, '--out', target, '--yes'])
      const progressed = 1 + Math.floor(random() * 12)
      const isOver = await Promise.race([
        receiver.ended.then(() => true),
        receiver.lines('progress', progressed).then(() => false),
      ])
      if (isOver) {
        running.delete(receiver)
        const { exitCode, stdout } = await receiver.ended
        expect(exitCode).toBe(0)
        if (here > 0) sentAgain.push(Math.max(0, here - resumedOf(linesOf(stdout))))
        expect(hashTree(target)).toEqual(expected)
        expect(readdirSync(target)).toEqual(['data'])
        rmSync(target, { recursive: true })
        completed += 1
        here = 0
        continue
      }
      kills += 1
      const choice = random()
      const doesReceiverDie = choice < 0.6 || choice >= 0.9
      if (choice >= 0.6) {
        await kill(sender)
        sender = null
      }
      // A receiver whose sender died goes on trying; people would end it by hand.
      const lines = doesReceiverDie
        ? await kill(receiver)
        : linesOf((running.delete(receiver), await receiver.stop('SIGINT')).stdout)
      if (here > 0) sentAgain.push(Math.max(0, here - resumedOf(lines)))
      here = numberOf(lastOf(lines, 'progress'), 'bytes')
      checkFinals(expected, target)
    }
    const sorted = [...sentAgain].sort((a, b) => a - b)
    const figures = {
      kills: rounds,
      completed,
      sentAgainMedianMiB: percentile(sorted, 0.5) / MiB,
      sentAgainP99MiB: percentile(sorted, 0.99) / MiB,
      sentAgainMostMiB: percentile(sorted, 1) / MiB,
    }
    if (isLong) console.info(JSON.stringify(figures))
    expect(percentile(sorted, 0.99)).toBeLessThanOrEqual(mostUnderWay)
    expect(readFileSync(join(source, 'empty.txt'))).toHaveLength(0)
  },
)
