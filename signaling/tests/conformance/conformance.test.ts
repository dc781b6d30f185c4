import { readFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { LogEvent } from '#signaling/log'
import type { SignalingServerOptions } from '#signaling/server'
import { localServer } from '../../conformance/local-server.ts'
import { cases, run, type RunOptions } from '../../conformance/run.ts'
import { skipped } from '../../conformance/skipped.ts'
import { usualAllowances } from '../../conformance/throttle.ts'
import { brokenServers } from './breakages.ts'
import { type Breakage, startBreakingProxy } from './breaking-proxy.ts'

/** Own servers answer, however busy this computer is. */
const patienceMs = 60_000

async function startOwnServer(options?: SignalingServerOptions) {
  const server = await localServer(options)
  onTestFinished(server.close)
  return server
}

/** The rules that the kit finds broken behind a proxy with this breakage. */
async function broken(breakage: Breakage, options: RunOptions) {
  const { url, allowances } = await startOwnServer()
  const proxy = await startBreakingProxy(url, breakage)
  const verdicts = await run(proxy, { allowances, patienceMs: 300, withFloods: true, ...options })
  return verdicts.filter(({ result }) => result === 'failed').map(({ rule }) => rule)
}

it('keeps every rule of docs/signaling.md that the kit can check', async () => {
  const log: LogEvent[] = []
  const { url, allowances } = await startOwnServer({ log: (event) => log.push(event) })
  const verdicts = await run(url, { allowances, patienceMs })
  const others = verdicts.filter(({ result }) => result !== 'passed')
  expect(others.filter(({ result }) => result === 'failed')).toEqual([])
  const takeLong = cases.filter(({ isFlood, isSlow }) => isFlood === true || isSlow === true)
  const left = [...takeLong, ...skipped].map(({ rule }) => rule)
  expect(others.map(({ rule }) => rule).sort()).toEqual([...left, 'transport-11'].sort())
  expect(log.filter(({ event }) => event === 'failed')).toEqual([])
  expect(Object.keys(Object.prototype)).toEqual([])
})

it.each(cases.filter(({ isFlood }) => isFlood === true))(
  'keeps $rule in a flood',
  async ({ rule }) => {
    const { socket, host } = usualAllowances
    const { url, allowances } = await startOwnServer({
      wsConnectionsBurst: socket.burst,
      wsConnectionsPerMin: socket.perMinute,
      sessionCreatesBurst: host.burst,
      sessionCreatesPerMin: host.perMinute,
    })
    const verdicts = await run(url, { allowances, patienceMs, only: [rule], withFloods: true })
    expect(verdicts).toMatchObject([{ rule, result: 'passed' }])
  },
)

it('keeps them if it requires a password', async () => {
  const password = 'only-for-the-team'
  const { url, allowances } = await startOwnServer({ serverPasswords: [password] })
  const verdicts = await run(url, { allowances, patienceMs, password, only: ['transport', 'host'] })
  expect(verdicts.filter(({ result }) => result === 'failed')).toEqual([])
  const passed = verdicts.filter(({ result }) => result === 'passed').map(({ rule }) => rule)
  expect(passed).toEqual(expect.arrayContaining(['transport-1', 'transport-11', 'host-1']))
})

it('fails for a server that ignores a given password', async () => {
  const { url, allowances } = await startOwnServer()
  const only = ['transport-11']
  const verdicts = await run(url, { allowances, patienceMs, password: 'whatever', only })
  expect(verdicts).toMatchObject([{ result: 'failed', got: '101' }])
})

it('checks every numbered rule of docs/signaling.md, or gives a reason', () => {
  const text = readFileSync(new URL('../../../docs/signaling.md', import.meta.url), 'utf8')
  const numbered = [...text.matchAll(/<sup>([a-z]+-\d+)<\/sup>/g)].map(([, rule]) => rule)
  const rules = [...cases, ...skipped].map(({ rule }) => rule)
  // The first paragraph contains an example.
  expect([...new Set(numbered)].sort()).toEqual([...rules].sort())
  expect(new Set(rules).size).toBe(rules.length)
})

describe('the kit', () => {
  it('finds nothing wrong in a proxy that breaks only rules about proofs and pings', async () => {
    const only = brokenServers.map(({ rule }) => rule)
    expect(await broken({}, { only, patienceMs })).toEqual(['host-2', 'limits-2'])
  })

  it.each(brokenServers)('finds $rule in a server that $does', async ({ rule, breakage }) => {
    expect(await broken(breakage, { only: [rule] })).toEqual([rule])
  })
})
