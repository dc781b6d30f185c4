import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SettingsFile } from '#client/settings/settings-file'
import { appError } from '#shared/errors'
import { err, ok } from '#shared/result'
import type { ServerCheck } from '#shared/server-check'
import { type Check, doctor, type DoctorOptions, type DoctorSeams } from '../doctor'
import { Paper } from './paper'

let folder: string
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'thru-doctor-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const place = { netmask: '', mac: '', cidr: null, internal: false }
const four = { ...place, family: 'IPv4', address: '192.168.1.7' } as const
const six = { ...place, family: 'IPv6', address: '2001:db8::7', scopeid: 0 } as const
const loopback = { ...four, address: '127.0.0.1', internal: true } as const

const good: ServerCheck = {
  server: 'ready',
  detail: '',
  stun: [{ line: 'stun:a', answers: true }],
}

function seams(more: Partial<DoctorSeams> = {}): DoctorSeams {
  return {
    engine: () => ok(null),
    settings: () => new SettingsFile(join(folder, 'config.toml')),
    checkServer: () => Promise.resolve(ok(good)),
    interfaces: () => ({ lo: [loopback], eth0: [four, six] }),
    hears: () => Promise.resolve(true),
    ...more,
  }
}

async function run(options: DoctorOptions, more: Partial<DoctorSeams> = {}) {
  const paper = new Paper()
  const exitCode = await doctor({ ...options, json: true }, paper, seams(more))
  const checks = paper.printed.map((line) => JSON.parse(line) as Check)
  const stateOf = (name: Check['name']) => checks.find((one) => one.name === name)?.state
  return { exitCode, stateOf, checks }
}

const server = { serverUrl: 'wss://meet.example.org', stunServer: ['stun:a'] } as const
const answering = (found: Partial<ServerCheck>): Partial<DoctorSeams> => ({
  checkServer: () => Promise.resolve(ok({ ...good, ...found })),
})

describe('thru doctor', () => {
  it('finds nothing wrong where everything works', async () => {
    const { exitCode, checks } = await run(server)
    expect(exitCode).toBe(0)
    expect(checks.map(({ state }) => state)).toEqual(['ok', 'ok', 'ok', 'ok', 'ok', 'ok'])
    const paper = new Paper()
    await doctor(server, paper, seams())
    expect(paper.printed.at(-1)).toBe(
      'You can reach others through the internet and on your network.',
    )
  })

  it('is content without a server on a network where announcements get out', async () => {
    const asked = { checkServer: () => Promise.reject(new Error('asked')) }
    const { exitCode, stateOf } = await run({}, asked)
    expect(exitCode).toBe(0)
    expect([stateOf('server'), stateOf('stun'), stateOf('lan')]).toEqual([
      ...['warning', 'unknown', 'ok'],
    ])
  })

  it.each([
    [answering({ server: 'unreachable', detail: 'x' }), 'server', 4],
    [answering({ server: 'untrusted' }), 'server', 4],
    [answering({ server: 'other' }), 'server', 4],
    [answering({ stun: [{ line: 'stun:a', answers: false }] }), 'stun', 5],
    [{ checkServer: () => Promise.resolve(err(appError('E_BAD_ARGUMENT', 'x'))) }, 'server', 4],
    [{ interfaces: () => ({ lo: [loopback] }) }, 'addresses', 5],
    [{ hears: () => Promise.resolve(false) }, 'lan', 5],
    [{ engine: () => err(appError('E_INTERNAL', 'x')) }, 'engine', 1],
  ] as const)('%#: names what fails, and fails with its code', async (more, name, code) => {
    const { exitCode, stateOf } = await run(server, more)
    expect(stateOf(name)).toBe('failed')
    expect(exitCode).toBe(code)
  })

  it('fails for settings that make no sense', async () => {
    writeFileSync(join(folder, 'config.toml'), 'general.name = 7\n')
    const { exitCode, stateOf } = await run(server)
    expect(stateOf('settings')).toBe('failed')
    expect(exitCode).toBe(2)
  })

  it('notes a connection without encryption, a silent STUN server, and one deaf network', async () => {
    const stun = [...good.stun, { line: 'stun:b', answers: false }]
    const { exitCode, stateOf, checks } = await run(server, {
      ...answering({ server: 'insecure', stun }),
      interfaces: () => ({ eth0: [four], tun0: [{ ...four, address: '10.0.0.2' }] }),
      hears: ({ name }) => Promise.resolve(name === 'eth0'),
    })
    expect(exitCode).toBe(0)
    expect([stateOf('server'), stateOf('stun'), stateOf('lan')]).toEqual([
      ...['warning', 'warning', 'warning'],
    ])
    expect(checks.map(({ line }) => line).join()).toContain('tun0')
  })

  it('asks no network that it should not', async () => {
    const hears = () => Promise.reject(new Error('asked'))
    expect((await run({ ...server, lan: false }, { hears })).stateOf('lan')).toBe('unknown')
  })
})
