import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { describeConfig, readInvocation } from '#signaling/config/invocation'
import { settings } from '#signaling/config/settings'

const folder = mkdtempSync(join(tmpdir(), 'thru-invocation-'))
afterAll(() => rmSync(folder, { recursive: true }))

const secret = 'north-wind-and-the-sun'
const fileWith = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

describe('a file with settings', () => {
  it('is overridden by the environment, and that by flags', () => {
    const path = fileWith('order.toml', 'port = 1\nmax-sessions = 2\njoins-burst = 3\n')
    const env = { THRU_CONFIG: path, THRU_PORT: '10', THRU_MAX_SESSIONS: '20' }
    const read = readInvocation(['--port', '100'], env)
    expect(read).toMatchObject({
      value: {
        file: path,
        isCheck: false,
        config: { port: 100, maxSessions: 20, joinsBurst: 3, joinsPerMin: 60 },
        origins: {
          port: '--port',
          maxSessions: 'THRU_MAX_SESSIONS',
          joinsBurst: `${path}, line 3: joins-burst`,
          joinsPerMin: 'default',
        },
      },
    })
  })

  it('accepts every type of value, with readable times and lists', () => {
    const path = fileWith(
      'types.toml',
      `# A comment.
session-timeout = "2h"
ws-idle-timeout = 30
trust-loopback = true
trust-proxy = ["127.0.0.0/8", "::1/128"]
turn-url = "turn:a.example,turn:b.example"
turn-secret-file = ${JSON.stringify(fileWith('secret', `${secret}\n`))}
metrics = "[::1]:9464"
`,
    )
    expect(readInvocation(['--config', path], {})).toMatchObject({
      value: {
        config: {
          sessionTimeout: 7200,
          wsIdleTimeout: 30,
          trustLoopback: true,
          trustProxy: ['127.0.0.0/8', '::1/128'],
          turnUrls: ['turn:a.example', 'turn:b.example'],
          turnSecret: secret,
          metrics: '[::1]:9464',
        },
      },
    })
  })

  it('is named by a flag in either form, which overrides the variable', () => {
    const one = fileWith('one.toml', 'port = 1\n')
    const two = fileWith('two.toml', 'port = 2\n')
    for (const args of [['--config', two], [`--config=${two}`]]) {
      const read = readInvocation([...args, '--max-sessions', '5'], { THRU_CONFIG: one })
      expect(read).toMatchObject({ value: { file: two, config: { port: 2, maxSessions: 5 } } })
    }
  })

  it.each([
    ['no number', 'port = 80\n\nmax-sessions = "many"\n', ', line 3: max-sessions'],
    ['a number beyond its bounds', 'port = 80\nmax-sessions = 0\n', ', line 2: max-sessions'],
    ['a fraction', 'port = 80.5\n', ', line 1: port'],
    ['a list for a number', 'port = [80]\n', ', line 1: port'],
    ['a number in a list', 'trust-proxy = [1]\n', ', line 1: trust-proxy'],
    ['an unknown name', 'port = 80\nmax-session = 1\n', ', line 2: max-session'],
    ['a table', '[server]\nport = 80\n', ': server'],
    ['a name that every object has', '__proto__ = 1\n', ', line 1: __proto__'],
    [
      'a password itself',
      'server-password-file = ["only-for-the-team"]\n',
      ', line 1: server-password-file',
    ],
    [
      'a file for the secret that is not there',
      'turn-secret-file = "/none"\n',
      ', line 1: turn-secret-file',
    ],
  ])('is refused with the place of %s', (what, text, place) => {
    const path = fileWith(`${what.replace(/\W/g, '-')}.toml`, text)
    const read = readInvocation(['--config', path], {})
    expect(read).toMatchObject({ error: { code: 'E_BAD_ARGUMENT', subject: path + place } })
    if (!read.ok) expect(read.error.detail).toContain(path + place)
  })

  it('names a file with passwords, one per line', () => {
    const passwords = fileWith('passwords', 'only-for-the-team\r\n\nonly-for-the-guests\n')
    const path = fileWith('private.toml', `server-password-file = ${JSON.stringify(passwords)}\n`)
    for (const args of [
      ['--config', path],
      ['--server-password-file', passwords],
    ]) {
      const read = readInvocation(args, {})
      expect(read).toMatchObject({
        value: {
          hasFiles: true,
          config: { serverPasswords: ['only-for-the-team', 'only-for-the-guests'] },
        },
      })
      if (read.ok) expect(describeConfig(read.value)).not.toContain('only-for')
    }
  })

  it.each([
    ['is empty', '\n'],
    ['has a short one', 'only-for-the-team\nshort\n'],
    ['has one with a space', 'only for the team\n'],
    ['has too many', 'only-for-the-team\n'.repeat(17)],
  ])(
    'starts no server that is open to everybody because the file of passwords %s',
    (what, text) => {
      const passwords = fileWith(`passwords ${what}`, text)
      const subject = '--server-password-file'
      const read = readInvocation([subject, passwords], {})
      expect(read).toMatchObject({ error: { code: 'E_BAD_ARGUMENT', subject } })
    },
  )

  it('is refused with the line of invalid TOML', () => {
    const path = fileWith('broken.toml', 'port = 80\nmax-sessions =\n')
    const read = readInvocation(['--config', path], {})
    expect(read).toMatchObject({ error: { subject: path } })
    if (!read.ok) expect(read.error.detail).toContain('line 2')
  })

  it.each([
    ['that is not there', ['--config', '/none/thru.toml'], '/none/thru.toml'],
    ['without a name', ['--config'], '--config'],
    ['with an empty name', ['--config='], '--config'],
  ])('is refused %s', (_what, args, subject) => {
    expect(readInvocation(args, {})).toMatchObject({ error: { code: 'E_BAD_ARGUMENT', subject } })
  })

  it('is refused above 64 KiB', () => {
    const path = fileWith('large.toml', `# ${'a'.repeat(64 * 1024)}\n`)
    expect(readInvocation(['--config', path], {})).toMatchObject({ error: { subject: path } })
  })
})

describe('--check-config', () => {
  it('prints every setting with its origin in the form of the file, without secrets', () => {
    const env = { THRU_TURN_URL: 'turn:a.example', THRU_TURN_SECRET: secret }
    const read = readInvocation(['--check-config', '--port=90'], env)
    if (!read.ok) throw new Error(read.error.detail)
    expect(read.value.isCheck).toBe(true)
    const text = describeConfig(read.value)
    expect(text).toMatch(/^port = 90 +# --port$/m)
    expect(text).toMatch(/^turn-url = \["turn:a.example"\] +# THRU_TURN_URL$/m)
    expect(text).toMatch(/^turn-secret-file = "not shown" +# THRU_TURN_SECRET$/m)
    expect(text).not.toContain(secret)
    expect(text.split('\n')).toHaveLength(Object.keys(settings).length)
  })

  it('prints output that is valid as a file', () => {
    const defaults = readInvocation([], {})
    if (!defaults.ok) throw new Error(defaults.error.detail)
    const path = fileWith('all.toml', `${describeConfig(defaults.value)}\n`)
    const read = readInvocation(['--config', path], {})
    expect(read).toMatchObject({ value: { config: defaults.value.config } })
  })
})
