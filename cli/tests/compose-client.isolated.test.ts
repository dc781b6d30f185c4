import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import type { loadEngine } from '#client/native-engine'
import { FakeEngine } from '#client/testing/fake-engine'
import { ok } from '#shared/result'
import { type NetworkOptions, withClient } from '../compose-client'
import { PlainReporter } from '../report/plain-reporter'
import { Paper } from './paper'

const load = vi.hoisted(() => vi.fn<typeof loadEngine>())

vi.mock('#client/native-engine', () => ({ loadEngine: load }))

let engine: FakeEngine
beforeEach(() => {
  engine = new FakeEngine()
  load.mockReturnValue(ok(engine))
})

/** The options that the engine receives for a command with these options. */
async function toldOf(options: NetworkOptions) {
  const alone = { serverUrl: 'ws://127.0.0.1:1', lan: false, history: false, ...options }
  const reporter = new PlainReporter(new Paper())
  expect(await withClient(alone, reporter, () => Promise.resolve(ok(0)))).toBe(0)
  return engine.commands
}

it('--leave-room lets the engine leave room for others', async () => {
  expect(await toldOf({ leaveRoom: true })).toContainEqual({
    type: 'set-background',
    enabled: true,
  })
})

it('the engine leaves no room for others by default', async () => {
  expect(await toldOf({})).toEqual([])
})

it.each([
  ['--server-url', {}, { serverUrl: 'nowhere' }],
  ['--server-url', {}, { serverUrl: 'ws://127.0.0.1:1 nowhere' }],
  ['THRU_SERVER_URL', { THRU_SERVER_URL: 'nowhere' }, { serverUrl: 'nowhere' }],
  ['--proxy', { THRU_PROXY: 'none' }, { proxy: 'http://me:s3cret@' }],
  ['THRU_PROXY', { THRU_PROXY: 'ftp://me:s3cret@host' }, { proxy: 'ftp://me:s3cret@host' }],
])('an address that makes no sense is refused by its place, %s', async (place, env, options) => {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  onTestFinished(() => void vi.unstubAllEnvs())
  const paper = new Paper()
  const command = () => Promise.resolve(ok(0 as const))
  expect(await withClient(options, new PlainReporter(paper), command)).toBe(2)
  expect(paper.notes.join('\n')).toMatch(new RegExp(`^thru: ${place}\\b`))
  expect(paper.notes.join('\n')).not.toContain('s3cret')
})
