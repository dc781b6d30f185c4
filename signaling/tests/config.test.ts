import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { ok } from '#shared/result'
import { makeConfig } from '#signaling/config/config'
import { configHelp, configSettings, readInvocation } from '#signaling/config/invocation'
import type { Setting } from '#signaling/config/settings'

const readConfig = (args: readonly string[], env: Readonly<Record<string, string>>) => {
  const read = readInvocation(args, env)
  return read.ok ? ok(read.value.config) : read
}

describe('settings', () => {
  it('has a default for everything', () => {
    expect(readConfig([], {})).toMatchObject({
      ok: true,
      value: { port: 8080, wsIdleTimeout: 90, sessionTimeout: 86_400, trustProxy: [] },
    })
  })

  it('prefers flags to variables and variables to defaults', () => {
    const args = ['--port', '9000', '--turn-ttl=2h', '--trust-loopback']
    const env = { THRU_PORT: '8000', THRU_MAX_SESSIONS: '7', THRU_WS_IDLE_TIMEOUT: '2m' }
    expect(readConfig(args, env)).toMatchObject({
      value: {
        port: 9000,
        maxSessions: 7,
        wsIdleTimeout: 120,
        turnTtl: 7200,
        trustLoopback: true,
      },
    })
  })

  it.each([
    ['an invalid port', ['--port', '65536'], {}, '--port'],
    ['a negative number', ['--max-sessions', '-1'], {}, '--max-sessions'],
    ['no number', ['--max-sessions', '1e9'], {}, '--max-sessions'],
    ['a unit where there is none', ['--max-sessions', '10s'], {}, '--max-sessions'],
    ['more than the space of nameplates', ['--max-sessions', '300001'], {}, '--max-sessions'],
    ['too short a time', ['--turn-ttl', '1s'], {}, '--turn-ttl'],
    [
      'a message size below one relay',
      [],
      { THRU_MAX_MESSAGE_BYTES: '8192' },
      'THRU_MAX_MESSAGE_BYTES',
    ],
    ['a limit of the file', ['--joins-burst', '5'], {}, '--joins-burst'],
    ['an unknown option', ['--prot', '80'], {}, '--prot'],
    ['a missing value', ['--port'], {}, '--port'],
    ['a variable that is no number', [], { THRU_PORT: 'http' }, 'THRU_PORT'],
    ['a switch that is neither', [], { THRU_TRUST_LOOPBACK: 'maybe' }, 'THRU_TRUST_LOOPBACK'],
    ['a proxy without its network', ['--trust-proxy', 'true'], {}, '--trust-proxy'],
    ['everybody as a proxy', ['--trust-proxy', '0.0.0.0/0'], {}, '--trust-proxy'],
    ['monitoring without a port', ['--metrics', '127.0.0.1'], {}, '--metrics'],
    ['monitoring at a port that is none', ['--metrics', '[::1]:65536'], {}, '--metrics'],
    ['a form of addresses that is none', ['--log-addresses', 'whole'], {}, '--log-addresses'],
    ['a variable out of bounds', [], { THRU_PORT: '65536' }, 'THRU_PORT'],
    ['a proxy without a value', ['--trust-proxy'], {}, '--trust-proxy'],
  ])('refuses %s', (_what, args, env, subject) => {
    expect(readConfig(args, env)).toMatchObject({ error: { code: 'E_BAD_ARGUMENT', subject } })
  })
})

describe('a TURN server', () => {
  const secret = 'north-wind-and-the-sun'
  const folder = mkdtempSync(join(tmpdir(), 'thru-config-'))
  const secretFile = (name: string, content: string): string => {
    const path = join(folder, name)
    writeFileSync(path, content)
    return path
  }
  afterAll(() => rmSync(folder, { recursive: true }))

  it('has several addresses, by repeated flags and with commas', () => {
    const args = [
      '--turn-url',
      'turn:a.example',
      '--turn-url=turn:b.example,turn:[2001:db8::1]:443',
    ]
    expect(readConfig(args, { THRU_TURN_SECRET: secret })).toMatchObject({
      value: {
        turnUrls: ['turn:a.example', 'turn:b.example', 'turn:[2001:db8::1]:443'],
        turnSecret: secret,
        turnTtl: 600,
      },
    })
  })

  it('has its addresses in flags instead of those of the environment', () => {
    const env = { THRU_TURN_SECRET: secret, THRU_TURN_URL: 'turn:a.example,turn:b.example' }
    expect(readConfig([], env)).toMatchObject({
      value: { turnUrls: ['turn:a.example', 'turn:b.example'] },
    })
    expect(readConfig(['--turn-url', 'turn:c.example'], env)).toMatchObject({
      value: { turnUrls: ['turn:c.example'] },
    })
  })

  it('has its secret in the first line of a file', () => {
    const args = [
      '--turn-url',
      'turn:a.example',
      '--turn-secret-file',
      secretFile('full', `${secret}\n`),
    ]
    expect(readConfig(args, {})).toMatchObject({ value: { turnSecret: secret } })
  })

  const url = ['--turn-url', 'turn:a.example']
  it.each([
    ['without a secret', url, {}, '--turn-secret-file'],
    [
      'with an empty secret',
      [...url, '--turn-secret-file', secretFile('empty', '')],
      {},
      '--turn-secret-file',
    ],
    ['with a short secret', url, { THRU_TURN_SECRET: 'abc' }, 'THRU_TURN_SECRET'],
    ['without an address', [], { THRU_TURN_SECRET: secret }, '--turn-url'],
    [
      'with an invalid address',
      ['--turn-url', 'turns:a?transport=udp'],
      { THRU_TURN_SECRET: secret },
      '--turn-url',
    ],
    [
      'with nine addresses',
      ['--turn-url', Array(9).fill('turn:a.example').join(',')],
      { THRU_TURN_SECRET: secret },
      '--turn-url',
    ],
    [
      'with a file that is not there',
      [...url, '--turn-secret-file', join(folder, 'none')],
      {},
      '--turn-secret-file',
    ],
  ])('is refused %s', (_what, args, env, subject) => {
    expect(readConfig(args, env)).toMatchObject({ error: { code: 'E_BAD_ARGUMENT', subject } })
  })

  it('never has its secret on the command line or in an error', () => {
    expect(readConfig(['--turn-secret', secret], {})).toMatchObject({
      error: { subject: '--turn-secret' },
    })
    const short = readConfig(url, { THRU_TURN_SECRET: 'too-short' })
    expect(JSON.stringify(short)).not.toContain('too-short')
  })
})

describe('server relays at several nodes', () => {
  const shared = ['--redis', 'redis://127.0.0.1:6379', '--server-relays', '2']

  it('need a name for each node', () => {
    expect(readConfig(shared, {})).toMatchObject({
      error: {
        code: 'E_BAD_ARGUMENT',
        subject: '--node-name',
        detail: '--server-relays with --redis needs a name for each server. Add --node-name.',
      },
    })
    const named = readConfig(shared, { THRU_NODE_NAME: 'node-1' })
    expect(named).toMatchObject({ value: { serverRelays: 2, nodeName: 'node-1' } })
    expect(readConfig(['--server-relays', '2'], {}).ok).toBe(true)
  })

  it.each(['Node', 'a/b', '..', 'a b', 'ä', 'a'.repeat(33)])(
    "can't have a name like %s",
    (name) => {
      expect(readConfig([...shared, '--node-name', name], {})).toMatchObject({
        error: { code: 'E_BAD_ARGUMENT', subject: '--node-name' },
      })
    },
  )
})

it('checks settings from the app like those of a person', () => {
  expect(makeConfig({ port: 1.5 })).toMatchObject({ error: { subject: '--port' } })
  expect(makeConfig({ port: 0, trustLoopback: true }).ok).toBe(true)
})

it('listens only on this computer behind a proxy, unless an address is given', () => {
  const proxies = { THRU_TRUST_PROXY: '127.0.0.0/8,::1/128' }
  expect(readConfig([], proxies)).toMatchObject({
    value: { host: '127.0.0.1', trustProxy: ['127.0.0.0/8', '::1/128'] },
  })
  expect(readConfig(['--host', '10.0.0.2'], proxies)).toMatchObject({ value: { host: '10.0.0.2' } })
  expect(readConfig([], {})).toMatchObject({ value: { host: '' } })
})

/** The setting's name in the documentation, with dashes only for flags. */
const nameOf = ({ flag, isFlag }: Setting): string => (isFlag === false ? flag.slice(2) : flag)

it('has the unit, default and reason of every setting in the documentation', () => {
  const page = readFileSync(new URL('../../docs/signaling.md', import.meta.url), 'utf8')
  for (const setting of configSettings()) {
    const { flag, initial, isDuration, min = 0, max = 0 } = setting
    const start = `| \`${nameOf(setting)}\` |`
    const row = page.split('\n').find((line) => line.startsWith(start)) ?? ''
    const [, , , unit, value, bounds, reason] = row.split(/(?<!\\)\|/).map((cell) => cell.trim())
    expect(reason, flag).not.toBe('')
    if (typeof initial !== 'number') continue
    expect(unit, flag).not.toBe('')
    if (isDuration === true) continue
    expect(value?.replaceAll(',', ''), flag).toBe(String(initial))
    expect(bounds?.replaceAll(',', ''), flag).toMatch(new RegExp(`^${min} to ${max}\\b`))
  }
})

it('has help for every flag, and a line in the documentation for every setting', () => {
  const page = readFileSync(new URL('../../docs/signaling.md', import.meta.url), 'utf8')
  for (const setting of configSettings()) {
    const { flag, env, isFlag } = setting
    expect(configHelp().includes(`  ${flag} `)).toBe(isFlag !== false)
    expect(page).toContain(`| \`${nameOf(setting)}\` | ${env === '' ? '' : `\`${env}\` `}|`)
  }
})
