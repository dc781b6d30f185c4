import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildDir, shippingPreset } from '../../../scripts/native-build.mjs'

interface Run {
  readonly seconds: number
  readonly cpu: number
}
interface Part {
  readonly name: string
  readonly unit: string
  readonly amount: number
  readonly runs: readonly Run[]
  readonly limits: readonly Run[]
}

const program = join(buildDir(shippingPreset), 'thru_bench')
/** The share of the usual amounts: ten files, a hundred entries. */
const small = '0.0001'
const parts = [
  ...['quic', 'files', 'hash', 'scan', 'manifest-encode', 'manifest-decode', 'names'],
  ...['portable-names', 'paths', 'journal-append', 'journal-replay', 'control', 'candidates'],
  'stun',
]

describe.runIf(process.platform === 'linux')('parts of the engine', () => {
  let measured: readonly Part[]
  beforeAll(() => {
    const lines = execFileSync(program, ['engine', '1', small], { encoding: 'utf8' })
    measured = lines
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Part)
  })

  it('are all measured', () => {
    expect(measured.map(({ name }) => name)).toEqual(parts)
  })

  it.each(parts)('measures %s and its limit', (name) => {
    const part = measured.find((each) => each.name === name)!
    expect(part.amount).toBeGreaterThanOrEqual(1)
    expect(part.runs).toHaveLength(1)
    expect(part.limits).toHaveLength(1)
    for (const { seconds, cpu } of [...part.runs, ...part.limits]) {
      expect(cpu).toBeGreaterThan(0)
      expect(part.amount / seconds).toBeLessThan(1e14)
    }
  })

  it('measures the named part, and refuses an unknown one', () => {
    const named = execFileSync(program, ['engine', '2', small, 'paths'], { encoding: 'utf8' })
    expect((JSON.parse(named) as Part).runs).toHaveLength(2)
    const { status, stderr } = spawnSync(program, ['engine', '1', small, 'none'], {
      encoding: 'utf8',
    })
    expect(status).toBe(1)
    expect(stderr).toMatch(/^There is no part "none"\. The parts are quic, .*, stun\.$/m)
  })
})
