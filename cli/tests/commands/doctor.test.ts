import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '#client/clock'
import { SettingsFile } from '#client/settings/settings-file'
import { folderOfTest } from '#client/testing/temporary-folder'
import { appError } from '#shared/errors'
import { err, ok } from '#shared/result'
import type { ServerCheck } from '#shared/settings/server-check'
import { type CheckName, type Finding, finding } from '#shared/state/network-check'
import { doctor, type DoctorOptions, type DoctorSeams } from '../../commands/doctor'
import { Paper } from '../paper'

let folder: string
beforeEach(() => void (folder = folderOfTest()))

const place = { netmask: '', mac: '', cidr: null, internal: false }
const four = { ...place, family: 'IPv4', address: '192.168.1.7' } as const
const six = { ...place, family: 'IPv6', address: '2001:db8::7', scopeid: 0 } as const
const loopback = { ...four, address: '127.0.0.1', internal: true } as const

const good: ServerCheck = {
  server: 'ready',
  detail: '',
  proxy: { name: 'http://proxy.example.org:3128', failure: null },
  stun: [],
  roundTripMs: 40,
  clockAheadMs: 200,
}

const engine = {
  socketBuffers: (wanted: number) => ({ receive: wanted, send: wanted }),
  probePath: () => Promise.resolve(1452),
}

function seams(more: Partial<DoctorSeams> = {}): DoctorSeams {
  return {
    engine: () => ok(engine),
    settings: () => new SettingsFile(join(folder, 'config.toml')),
    checkServer: () => Promise.resolve(ok(good)),
    interfaces: () => ({ lo: [loopback], eth0: [four, six] }),
    hears: () => Promise.resolve(true),
    lookUp: () => Promise.reject(new Error('asked')),
    clock: systemClock,
    mapping: () => Promise.resolve(finding('mapping', 'found', { protocols: ['PCP'] })),
    firewall: () => Promise.resolve(finding('firewall', 'none', {})),
    ...more,
  }
}

type Check = Finding & { readonly line: string; readonly what: string; readonly remedy: string }

async function run(options: DoctorOptions, more: Partial<DoctorSeams> = {}) {
  const paper = new Paper()
  const exitCode = await doctor({ ...options, json: true }, paper, '1.0.0', seams(more))
  const checks = paper.printed.map((line) => JSON.parse(line) as Check)
  const stateOf = (name: CheckName) => checks.find((one) => one.name === name)?.state
  return { exitCode, stateOf, checks }
}

const server = { serverUrl: 'wss://meet.example.org' } as const
const answering = (found: Partial<ServerCheck>): Partial<DoctorSeams> => ({
  checkServer: () => Promise.resolve(ok({ ...good, ...found })),
})

describe('thru doctor', () => {
  it.each([
    ['wss://meet.example.org', 'ready', 'on the internet and on'],
    ['ws://192.168.1.4:8080', 'near', 'but not on the internet'],
    ['ws://[fd00::2]:8080', 'near', 'but not on the internet'],
    ['ws://127.0.0.1:8899', 'own', 'but not on the internet'],
    ['ws://localhost', 'own', 'but not on the internet'],
  ])('reaches no further than the server at %s', async (serverUrl, verdict, summary) => {
    const { checks } = await run({ serverUrl })
    expect(checks.find(({ name }) => name === 'server')).toMatchObject({ verdict, state: 'ok' })
    const paper = new Paper()
    await doctor({ serverUrl }, paper, '1.0.0', seams())
    expect(paper.printed.at(-1)).toContain(summary)
  })

  it('finds nothing wrong where everything works', async () => {
    const { exitCode, checks } = await run(server)
    expect(exitCode).toBe(0)
    expect(checks.map(({ name, state }) => `${name} ${state}`)).toEqual([
      ...['engine ok', 'settings ok', 'addresses ok', 'proxy ok', 'server ok', 'latency ok'],
      ...['clock ok', 'udp unknown', 'relay unknown', 'mapping ok', 'mtu unknown', 'buffers ok'],
      ...['firewall ok', 'lan ok'],
    ])
    const paper = new Paper()
    await doctor(server, paper, '1.0.0', seams())
    expect(paper.printed.at(-1)).toBe('You can reach others on the internet and on your network.')
  })

  it('passes without a server if announcements work on the network', async () => {
    const asked = { checkServer: () => Promise.reject(new Error('asked')) }
    const { exitCode, stateOf, checks } = await run({}, asked)
    expect(exitCode).toBe(0)
    const remedy = checks.find(({ name }) => name === 'server')?.remedy
    expect(remedy).toContain('thru config server add')
    expect([stateOf('server'), stateOf('udp'), stateOf('lan')]).toEqual([
      ...['warning', 'unknown', 'ok'],
    ])
  })

  it.each([
    [answering({ server: 'unreachable', detail: 'x' }), 'server', 4],
    [answering({ server: 'untrusted' }), 'server', 4],
    [answering({ server: 'other' }), 'server', 4],
    [{ checkServer: () => Promise.resolve(err(appError('E_BAD_ARGUMENT', 'x'))) }, 'server', 4],
    [{ interfaces: () => ({ lo: [loopback] }) }, 'addresses', 5],
    [{ hears: () => Promise.resolve(false) }, 'lan', 5],
    [{ engine: () => err(appError('E_INTERNAL', 'x')) }, 'engine', 1],
  ] as const)('%#: names what fails, and fails with its code', async (more, name, code) => {
    const { exitCode, stateOf } = await run(server, more)
    expect(stateOf(name)).toBe('failed')
    expect(exitCode).toBe(code)
  })

  it('checks each server with its own password, and fails if one of them does', async () => {
    const backup = 'name = "backup"\nurl = "wss://b.example.org"\npassword = "other"\n'
    writeFileSync(join(folder, 'config.toml'), `[[network.servers]]\n${backup}`)
    const asked: unknown[] = []
    const checkServer: DoctorSeams['checkServer'] = ({ url, password }) => {
      asked.push([url, password])
      return Promise.resolve(ok({ ...good, server: url.includes('b.') ? 'unreachable' : 'ready' }))
    }
    const serverUrl = 'wss://a.example.org wss://b.example.org wss://c.example.org'
    const { exitCode, checks } = await run({ serverUrl }, { checkServer })
    const found = checks.filter(({ name }) => name === 'server')
    expect(found.map(({ verdict }) => verdict)).toEqual(['ready', 'unreachable', 'ready'])
    expect(found[1]?.line).toContain('wss://b.example.org')
    expect(asked).toContainEqual(['wss://b.example.org', 'other'])
    expect(asked).toContainEqual(['wss://c.example.org', undefined])
    expect(checks.filter(({ name }) => name === 'latency')).toHaveLength(1)
    expect(exitCode).toBe(4)
  })

  it('names the option for the password of the server', async () => {
    const { checks } = await run(server, answering({ server: 'password' }))
    const found = checks.find(({ name }) => name === 'server')
    expect(found).toMatchObject({ verdict: 'password', state: 'failed' })
    expect(found?.line).toContain('--server-password-file')
  })

  it('fails for settings that make no sense', async () => {
    writeFileSync(join(folder, 'config.toml'), 'general.name = 7\n')
    const { exitCode, stateOf } = await run(server)
    expect(stateOf('settings')).toBe('failed')
    expect(exitCode).toBe(2)
  })

  it('refuses invalid STUN and TURN addresses without repeating a password', async () => {
    for (const bad of [{ stunServer: ['stun:'] }, { turnServer: ['turn:mina:w0rd@'] }]) {
      const { exitCode, checks } = await run({ ...server, ...bad })
      expect(exitCode).toBe(4)
      const found = checks.find(({ name }) => name === 'server')
      expect(found).toMatchObject({ verdict: 'malformed' })
      expect(JSON.stringify(checks)).not.toContain('w0rd')
    }
  })

  it('notes a connection without encryption, one deaf network, a slow server, a wrong clock and small buffers', async () => {
    const { exitCode, stateOf, checks } = await run(server, {
      ...answering({
        ...{ server: 'insecure', roundTripMs: 900, congestion: 'cubic', clockAheadMs: 61_000 },
      }),
      interfaces: () => ({ eth0: [four], tun0: [{ ...four, address: '10.0.0.2' }] }),
      hears: ({ name }) => Promise.resolve(name === 'eth0'),
      engine: () => ok({ ...engine, socketBuffers: () => ({ receive: 212_992, send: 212_992 }) }),
    })
    expect(exitCode).toBe(0)
    for (const name of ['server', 'lan', 'latency', 'congestion', 'clock', 'buffers'] as const) {
      expect([name, stateOf(name)]).toEqual([name, 'warning'])
    }
    const lines = checks.map(({ line }) => line).join('\n')
    expect(lines).toContain('tun0')
    expect(lines).toContain("1 min 1 s ahead of the server's")
    expect(lines).toContain('net.core.rmem_max=8388608')
    expect(lines).toContain('with CUBIC, which is slow over networks that lose packets')
  })

  it('names the proxy to the server and its result', async () => {
    const name = 'http://proxy.example.org:3128'
    const lineOf = async (proxy: ServerCheck['proxy']) => {
      const isThere = proxy === null || proxy.failure === null
      const found = answering({
        ...{ server: isThere ? 'ready' : 'unreachable', detail: 'why', proxy },
      })
      const { exitCode, checks } = await run(server, found)
      const { state, line } = checks.find((one) => one.name === 'proxy') ?? {}
      return { exitCode, state, line }
    }
    expect(await lineOf({ name, failure: null })).toMatchObject({
      ...{ exitCode: 0, state: 'ok', line: expect.stringContaining(name) as string },
    })
    for (const failure of ['E_PROXY_UNREACHABLE', 'E_PROXY_AUTH', 'E_PROXY_REFUSED'] as const) {
      const { exitCode, state, line } = await lineOf({ name, failure })
      expect([exitCode, state]).toEqual([4, 'failed'])
      expect(line).toContain(name)
      expect(line).toContain('[why]')
    }
    expect(await lineOf(null)).toMatchObject({ state: 'unknown', line: 'No proxy is used.' })
  })

  it('skips networks that are turned off', async () => {
    const hears = () => Promise.reject(new Error('asked'))
    expect((await run({ ...server, lan: false }, { hears })).stateOf('lan')).toBe('unknown')
  })

  it('shortens addresses only in a report', async () => {
    const printed = async (options: DoctorOptions) => {
      const paper = new Paper()
      const at = { serverUrl: 'wss://203.0.113.7', ...options }
      await doctor(at, paper, '1.0.0', seams())
      return paper.printed.join('\n')
    }
    const report = await printed({ report: true })
    expect(report).toMatch(/^Thruflux 1\.0\.0, .*\nok {6}engine: .*\nok {6}settings: /)
    expect(report).toContain('wss://203.0.x.x')
    expect(report).not.toContain('113.7')
    expect(await printed({})).toContain('wss://203.0.113.7')
  })
})
