import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { changedLimits, makeConfig } from '#signaling/config/config'
import { readInvocation } from '#signaling/config/invocation'
import { reloadLimits } from '#signaling/config/reload'
import type { ServerConfig } from '#signaling/config/server-config'
import type { LogEvent } from '#signaling/log'

/** A server with a file of limits, and the effect of a reload. */
function reloading(text: string) {
  const folder = mkdtempSync(join(tmpdir(), 'thru-reload-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'thru.toml')
  writeFileSync(path, text)
  const args = ['--config', path, '--turn-grants-per-hour', '7']
  const started = readInvocation(args, {})
  if (!started.ok) throw new Error(started.error.detail)
  let config = started.value.config
  const logged: LogEvent[] = []
  const server = {
    ...{ port: 1, url: '', metricsPort: null },
    close: () => Promise.resolve(),
    leave: () => Promise.resolve(),
    reload: (after: ServerConfig) => {
      const changed = changedLimits(config, after)
      if (changed.ok) config = after
      return changed
    },
  }
  const reload = (changed: string) => {
    writeFileSync(path, changed)
    reloadLimits(args, {}, server, (event) => logged.push(event))
  }
  return { path, reload, logged, config: () => config }
}

it('applies changed limits, and logs them in one line', () => {
  const { reload, logged, config } = reloading('max-sessions = 5\n')
  reload('max-sessions = 6\nws-idle-timeout = "2m"\nturn-grants-per-hour = 1\n')
  expect(config()).toMatchObject({ maxSessions: 6, wsIdleTimeout: 120, turnGrantsPerHour: 7 })
  expect(logged).toEqual([{ event: 'reloaded', settings: ['max-sessions', 'ws-idle-timeout'] }])
})

it('replaces the secret of the relays by the new one, which precedes the old one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'thru-reload-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const secrets = join(folder, 'turn-secret')
  writeFileSync(secrets, 'the-secret-of-2025\n')
  const relay = `turn-url = ["turn:relay.example"]\nturn-secret-file = "${secrets}"\n`
  const { reload, logged, config } = reloading(relay)
  expect(config().turnSecret).toBe('the-secret-of-2025')
  writeFileSync(secrets, 'the-secret-of-2026\nthe-secret-of-2025\n')
  reload(`${relay}turn-ttl = "5m"\n`)
  expect(config()).toMatchObject({ turnSecret: 'the-secret-of-2026', turnTtl: 300 })
  expect(logged).toEqual([{ event: 'reloaded', settings: ['turn-secret-file', 'turn-ttl'] }])
})

it('keeps all limits if one is invalid, and logs its place in one line', () => {
  const { path, reload, logged, config } = reloading('max-sessions = 5\n')
  reload('max-sessions = 6\njoins-per-min = 0\n')
  expect(config().maxSessions).toBe(5)
  expect(logged).toEqual([
    {
      event: 'reload-refused',
      why: expect.stringContaining(`${path}, line 2: joins-per-min`) as string,
    },
  ])
})

it('keeps all limits if another setting changed, too', () => {
  const { reload, logged, config } = reloading('max-sessions = 5\n')
  reload('max-sessions = 6\nport = 9000\n')
  expect(config()).toMatchObject({ maxSessions: 5, port: 8080 })
  expect(logged).toEqual([
    { event: 'reload-refused', why: expect.stringContaining('--port') as string },
  ])
})

it.each([
  { port: 1 },
  { host: '::1' },
  { trustProxy: ['10.0.0.0/8'] },
  { trustLoopback: true },
  { metrics: '[::1]:1' },
  { logAddresses: 'hashed' },
])('takes a restart to change %o', (change) => {
  const [before, after] = [makeConfig({}), makeConfig(change)]
  if (!before.ok || !after.ok) throw new Error('bad settings')
  expect(changedLimits(before.value, after.value)).toMatchObject({
    error: { code: 'E_BAD_ARGUMENT' },
  })
})
