import { describe, expect, it } from 'vitest'
import { type Lookup, parseIceConfig, resolveIceServers } from '#client/signaling/ice-servers'
import { ManualClock } from '#client/testing/manual-clock'

const stun = (line: string) => parseIceConfig({ stun: [line], turn: [] })
const turn = (line: string) => parseIceConfig({ stun: [], turn: [line] })

describe('STUN servers', () => {
  it.each([
    ['stun:198.18.3.1:3478', { host: '198.18.3.1', port: 3478 }],
    ['stun:stun.example.org', { host: 'stun.example.org', port: 3478 }],
    ['stun://stun.example.org:19302', { host: 'stun.example.org', port: 19302 }],
    ['STUN:[2001:db8::1]', { host: '2001:db8::1', port: 3478 }],
    [' stun:[2001:db8::1]:53 ', { host: '2001:db8::1', port: 53 }],
  ])('reads %s', (line, server) => {
    expect(stun(line)).toMatchObject({ ok: true, value: { stun: [server] } })
  })

  it.each([
    'stun.example.org:3478',
    'stun:',
    'stun:host:0',
    'stun:host:65536',
    'stun:host:port',
    'stun:2001:db8::1',
    'stun:[host]',
    'stun:host name',
    'stuns:host',
    'turn:u:p@host',
    `stun:${'a'.repeat(2000)}`,
  ])('refuses %s', (line) => {
    expect(stun(line)).toMatchObject({ ok: false, error: { code: 'E_BAD_ARGUMENT' } })
  })
})

describe('TURN servers', () => {
  const plain = {
    host: 'relay.example.org',
    port: 3478,
    user: 'lab',
    password: 'secret',
    transport: 'udp',
  }

  it.each([
    ['turn:lab:secret@relay.example.org:3478', plain],
    ['turn:lab:secret@relay.example.org', plain],
    ['turn:lab:secret@relay.example.org?transport=udp', plain],
    [
      'turn:lab:secret@relay.example.org:443?transport=tcp',
      { ...plain, port: 443, transport: 'tcp' },
    ],
    [
      'turn:la%3Ab:se%40cret%25@[2001:db8::1]:3478',
      { ...plain, host: '2001:db8::1', user: 'la:b', password: 'se@cret%' },
    ],
    [
      'turns:lab:secret@relay.example.org',
      { ...plain, port: 5349, transport: 'tls', name: 'relay.example.org' },
    ],
    [
      'TURNS:lab:secret@[2001:db8::1]:443?transport=tcp',
      { ...plain, host: '2001:db8::1', port: 443, transport: 'tls', name: '2001:db8::1' },
    ],
    ['turn:lab:se@cr:et@relay.example.org', { ...plain, password: 'se@cr:et' }],
    ['turn:1700000000:lab@relay.example.org', { ...plain, user: '1700000000', password: 'lab' }],
  ])('reads %s', (line, server) => {
    expect(turn(line)).toMatchObject({ ok: true, value: { turn: [server] } })
  })

  it.each([
    'turn:relay.example.org:3478',
    'turn:lab@relay.example.org',
    'turn:lab:@relay.example.org',
    'turn::secret@relay.example.org',
    'turn:lab:%zz@relay.example.org',
    'turn:lab:secret@relay.example.org?transport=tls',
    'turn:lab:secret@relay.example.org?transport=tcp?transport=udp',
    'turns:lab:secret@relay.example.org?transport=udp',
    'turns:lab:secret@relay.example.org?transport=tls',
    'stun:relay.example.org',
  ])('refuses %s', (line) => {
    expect(turn(line)).toMatchObject({ ok: false, error: { code: 'E_BAD_ARGUMENT' } })
  })

  it('never shows a password in an error', () => {
    for (const line of [
      'turn:lab:secret@host:99999',
      'turns:lab:sec:secret@host?transport=udp',
      'x:lab:secret@h',
    ]) {
      expect(JSON.stringify(turn(line))).not.toContain('secret')
    }
  })
})

describe('resolveIceServers', () => {
  const lookup: Lookup = (host) =>
    host === 'dual.example.org'
      ? Promise.resolve([
          { address: '2001:db8::7', family: 6 },
          { address: '203.0.113.7', family: 4 },
        ])
      : Promise.reject(new Error('ENOTFOUND'))

  const config = (host: string) => ({ stun: [{ host, port: 3478 }], turn: [] })

  it('keeps literal addresses', async () => {
    const servers = await resolveIceServers(config('2001:db8::1'), lookup)
    expect(servers).toMatchObject({ ok: true, value: { stun: [{ host: '2001:db8::1' }] } })
  })

  it('prefers the IPv4 address of a name', async () => {
    const servers = await resolveIceServers(config('dual.example.org'), lookup)
    expect(servers).toMatchObject({ ok: true, value: { stun: [{ host: '203.0.113.7' }] } })
  })

  it('names the server whose name cannot be resolved', async () => {
    const clock = new ManualClock()
    const silent = () => new Promise<never>(() => undefined)
    const servers = resolveIceServers(config('slow.example.org'), silent, clock)
    clock.advance(20_000)
    expect(await servers).toMatchObject({ ok: false, error: { subject: 'slow.example.org' } })
  })

  it('names the server that has no address', async () => {
    const servers = await resolveIceServers(config('nowhere.example.org'), lookup)
    expect(servers).toMatchObject({
      ok: false,
      error: { code: 'E_BAD_ARGUMENT', subject: 'nowhere.example.org' },
    })
  })
})
