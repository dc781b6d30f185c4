import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'

interface Piece {
  readonly data: number
  readonly first: number
  readonly last: number
  readonly sum: boolean
  readonly sequence: number
  readonly flags: number
}
interface Trial {
  readonly delayed: readonly number[]
  readonly slow: readonly number[]
  readonly late: readonly number[]
  readonly jittery: readonly number[]
  readonly lost: readonly number[]
  readonly udp: readonly Piece[]
  readonly tcp: readonly Piece[]
}

const here = fileURLToPath(new URL('.', import.meta.url))
const emulator = join(here, '..', '..', 'lab', 'emulator')

function runTrial(): Trial {
  const folder = mkdtempSync(join(tmpdir(), 'thru-link-'))
  try {
    const program = join(folder, 'link-trial')
    const sources = [
      join(here, 'link-trial.cc'),
      ...['link.cc', 'frame.cc'].map((name) => join(emulator, name)),
    ]
    execFileSync('c++', ['-std=c++20', '-O1', '-o', program, ...sources])
    return JSON.parse(execFileSync(program, { encoding: 'utf8' })) as Trial
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const counted = Array.from({ length: 100 }, (_, index) => index)
const numerically = (a: number, b: number) => a - b

describe.runIf(process.platform === 'linux')('a link of the emulator', () => {
  let trial: Trial
  beforeAll(() => {
    trial = runTrial()
  })

  it('delays packets by the set time, less 0.1 ms for waking up', () => {
    expect(trial.delayed).toEqual([49.9])
  })

  it("sends packets at its rate, and drops those that its queue can't hold", () => {
    expect(trial.slow).toEqual([50.9, 51.9, 52.9, 53.9, 54.9])
  })

  it('delivers late packets after others, and loses none', () => {
    expect([...trial.late].sort(numerically)).toEqual(counted)
    const overtaken = trial.late.filter((number, at) =>
      trial.late.slice(0, at).some((n) => n > number),
    )
    expect(overtaken.length).toBeGreaterThan(10)
    expect(overtaken.length).toBeLessThan(35)
  })

  it('keeps the order while its delay changes', () => {
    expect(trial.jittery).toEqual(counted)
  })

  it('loses the set share, also in bursts, and repeats for the same seed', () => {
    const [single, again, bursts, none, all] = trial.lost
    expect(single).toBeCloseTo(0.02, 2)
    expect(again).toBe(single)
    expect(bursts).toBeGreaterThan(0.01)
    expect(bursts).toBeLessThan(0.03)
    expect([none, all]).toEqual([0, 1])
  })

  it.each(['udp', 'tcp'] as const)('splits joined packets of %s correctly', (protocol) => {
    const pieces = trial[protocol]
    expect(pieces.map(({ data }) => data)).toEqual([100, 100, 100, 100, 50])
    for (const [index, { first, last, sum }] of pieces.entries())
      expect({ first, last, sum }).toEqual({ first: index, last: index, sum: true })
  })

  it('sets PSH and FIN only on the last packet, and numbers all', () => {
    expect(trial.tcp.map(({ sequence }) => sequence)).toEqual([0, 100, 200, 300, 400])
    // All have ACK, the first CWR, the last PSH and FIN.
    expect(trial.tcp.map(({ flags }) => flags)).toEqual([0x90, 0x10, 0x10, 0x10, 0x19])
  })
})
