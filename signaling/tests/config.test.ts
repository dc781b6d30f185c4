import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { configHelp, makeConfig, readConfig, settings } from '#signaling/config'

describe('readConfig', () => {
  it('has a default for everything', () => {
    expect(readConfig([], {})).toMatchObject({
      ok: true,
      value: { port: 8080, wsIdleTimeout: 90, sessionTimeout: 86_400, trustProxy: false },
    })
  })

  it('prefers flags to variables and variables to defaults', () => {
    const args = ['--port', '9000', '--session-timeout=2h', '--trust-proxy']
    const env = { THRU_PORT: '8000', THRU_MAX_SESSIONS: '7', THRU_WS_IDLE_TIMEOUT: '2m' }
    expect(readConfig(args, env)).toMatchObject({
      value: {
        port: 9000,
        maxSessions: 7,
        wsIdleTimeout: 120,
        sessionTimeout: 7200,
        trustProxy: true,
      },
    })
  })

  it.each([
    ['a port that is none', ['--port', '65536'], {}, '--port'],
    ['a negative number', ['--max-sessions', '-1'], {}, '--max-sessions'],
    ['no number', ['--max-sessions', '1e9'], {}, '--max-sessions'],
    ['a unit where there is none', ['--max-sessions', '10s'], {}, '--max-sessions'],
    ['more than the space of nameplates', ['--max-sessions', '300001'], {}, '--max-sessions'],
    ['too short a time', ['--ws-idle-timeout', '1s'], {}, '--ws-idle-timeout'],
    ['a message size below one relay', ['--max-message-bytes', '8192'], {}, '--max-message-bytes'],
    ['an unknown option', ['--prot', '80'], {}, '--prot'],
    ['a missing value', ['--port'], {}, '--port'],
    ['a variable that is no number', [], { THRU_PORT: 'http' }, 'THRU_PORT'],
    ['a switch that is neither', [], { THRU_TRUST_PROXY: 'maybe' }, 'THRU_TRUST_PROXY'],
  ])('refuses %s', (_what, args, env, subject) => {
    expect(readConfig(args, env)).toMatchObject({ error: { code: 'E_BAD_ARGUMENT', subject } })
  })
})

it('checks what the app passes like what a person types', () => {
  expect(makeConfig({ port: 1.5 })).toMatchObject({ error: { subject: '--port' } })
  expect(makeConfig({ port: 0, trustLoopback: true }).ok).toBe(true)
})

it('has help and a line in the documentation for every setting', () => {
  const page = readFileSync(new URL('../../docs/signaling.md', import.meta.url), 'utf8')
  for (const { flag, env } of Object.values(settings)) {
    expect(configHelp()).toContain(flag)
    expect(page).toContain(`| \`${flag}\` | \`${env}\` |`)
  }
})
