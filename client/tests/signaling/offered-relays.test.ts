import { describe, expect, it } from 'vitest'
import {
  type AddressScope,
  mayName,
  scopeOfAddress,
  scopeOfHost,
} from '#client/signaling/address-scope'
import type { Lookup } from '#client/signaling/ice-servers'
import { OfferedRelays, relaysOf, type TurnMessage } from '#client/signaling/offered-relays'

const turn = (...urls: string[]): TurnMessage => ({
  t: 'turn',
  peer: '0123456789abcdef',
  urls,
  username: 'until:name',
  credential: 'secret',
  ttlS: 600,
})

const leadingTo =
  (address: string): Lookup =>
  () =>
    Promise.resolve([{ address, family: address.includes(':') ? 6 : 4 }])

describe('the scope of an address', () => {
  it.each<[string, AddressScope | null]>([
    ['203.0.113.9', 'public'],
    ['2001:db8::1', 'public'],
    ['127.0.0.1', 'loopback'],
    ['127.255.255.254', 'loopback'],
    ['::1', 'loopback'],
    ['::ffff:127.0.0.1', 'loopback'],
    ['::ffff:7f00:1', 'loopback'],
    ['10.1.2.3', 'private'],
    ['172.31.0.1', 'private'],
    ['192.168.0.1', 'private'],
    ['100.64.0.1', 'private'],
    ['169.254.169.254', 'private'],
    ['::ffff:192.168.0.1', 'private'],
    ['fe80::1%eth0', 'private'],
    ['fd00::1', 'private'],
    ['0.0.0.0', null],
    ['::', null],
    ['255.255.255.255', null],
    ['224.0.0.1', null],
    ['ff02::1', null],
    ['64:ff9b::7f00:1', null],
    ['2002:7f00:1::', null],
    ['localhost', null],
    ['', null],
  ])('%s is %s', (address, scope) => {
    expect(scopeOfAddress(address)).toBe(scope)
  })
})

describe('the scope of a host', () => {
  it.each<[string, AddressScope | null]>([
    ['relay.example', 'public'],
    ['relay.example.', 'public'],
    ['203.0.113.9', 'public'],
    ['localhost', 'loopback'],
    ['LOCALHOST.', 'loopback'],
    ['a.localhost', 'loopback'],
    ['printer', 'private'],
    ['printer.local', 'private'],
    ['nas.lan', 'private'],
    ['metadata.google.internal', 'private'],
    ['box.home.arpa', 'private'],
    ['127.1', null],
    ['2130706433', null],
    ['0x7f000001', null],
    ['0x7f.1', null],
    ['127.0.0.1.', null],
    ['a..example', null],
    ['', null],
  ])('%s is %s', (host, scope) => {
    expect(scopeOfHost(host)).toBe(scope)
  })
})

it('allows only names that are at least as public as their source', () => {
  const scopes: readonly AddressScope[] = ['public', 'private', 'loopback']
  expect(scopes.map((from) => scopes.filter((to) => mayName(from, to)))).toEqual([
    ['public'],
    ['public', 'private'],
    ['public', 'private', 'loopback'],
  ])
  expect(scopes.filter((from) => mayName(from, null))).toEqual([])
})

describe('SIG-15: a public server that offers relays', () => {
  it.each([
    'turn:127.0.0.1',
    'turn:[::1]:3478',
    'turn:[::ffff:127.0.0.1]',
    'turn:localhost',
    'turn:2130706433',
    'turn:192.168.0.1?transport=tcp',
    'turn:0.0.0.0',
    'turn:printer.local',
    'turns:relay.example?transport=udp',
    'turn:relay.example:0',
    'turn:relay.example:65536',
    'turn:user@relay.example',
    'turn:relay.example/path',
    'stun:relay.example',
    'http://relay.example',
  ])('is ignored with %s', async (url) => {
    const relays = new OfferedRelays('public', leadingTo('203.0.113.9'))
    expect(await relays.check(turn(url))).toBeNull()
  })

  it.each(['127.0.0.1', '::1', '10.0.0.1', '::ffff:10.0.0.1', '169.254.169.254', '0.0.0.0'])(
    'is ignored with a name that leads to %s',
    async (address) => {
      const relays = new OfferedRelays('public', leadingTo(address))
      expect(await relays.check(turn('turn:relay.example'))).toBeNull()
    },
  )

  it('is ignored with a name that cannot be resolved', async () => {
    const relays = new OfferedRelays('public', () => Promise.reject(new Error('ENOTFOUND')))
    expect(await relays.check(turn('turn:relay.example'))).toBeNull()
  })

  it('is heeded for the usable rest', async () => {
    const relays = new OfferedRelays('public', leadingTo('2001:db8::9'))
    const urls = ['turn:127.0.0.1', 'turn:relay.example?transport=tcp', 'turn:203.0.113.9:443']
    const checked = await relays.check(turn(...urls))
    expect(checked && relaysOf(checked)).toEqual([
      { host: '2001:db8::9', port: 3478, transport: 'tcp', user: 'until:name', password: 'secret' },
      { host: '203.0.113.9', port: 443, transport: 'udp', user: 'until:name', password: 'secret' },
    ])
  })

  it('must prove the original name over TLS', async () => {
    const relays = new OfferedRelays('public', leadingTo('203.0.113.9'))
    const checked = await relays.check(turn('turns:relay.example:443', 'turns:203.0.113.10'))
    const tls = { transport: 'tls', user: 'until:name', password: 'secret' }
    expect(checked && relaysOf(checked)).toEqual([
      { host: '203.0.113.9', port: 443, name: 'relay.example', ...tls },
      { host: '203.0.113.10', port: 5349, name: '203.0.113.10', ...tls },
    ])
  })

  it('has at most eight names resolved', async () => {
    const asked: string[] = []
    const relays = new OfferedRelays('public', (host) => {
      asked.push(host)
      return leadingTo('203.0.113.9')(host)
    })
    for (let index = 0; index < 100; index += 1) {
      await relays.check(turn(`turn:relay${index}.example`, 'turn:relay0.example'))
    }
    expect(asked).toHaveLength(8)
    expect(await relays.check(turn('turn:203.0.113.10', 'turn:another.example'))).toEqual(
      turn('turn:203.0.113.10:3478?transport=udp'),
    )
  })

  it('has no more waiting messages than there may be receivers', async () => {
    let find: (() => void) | undefined
    const relays = new OfferedRelays('public', async () => {
      await new Promise<void>((resolve) => (find = resolve))
      return [{ address: '203.0.113.9', family: 4 }]
    })
    const waiting = Array.from({ length: 1000 }, () => relays.check(turn('turn:relay.example')))
    expect(await relays.check(turn('turn:relay.example'))).toBeNull()
    find?.()
    expect(await Promise.all(waiting)).not.toContain(null)
    expect(await relays.check(turn('turn:relay.example'))).not.toBeNull()
  })
})

it('accepts a relay on the network of a private server', async () => {
  const relays = new OfferedRelays('private', leadingTo('192.168.0.7'))
  expect(await relays.check(turn('turn:nas.lan', 'turn:127.0.0.1'))).toEqual(
    turn('turn:192.168.0.7:3478?transport=udp'),
  )
})

it('drops relays of other regions, including their URLs for TCP', async () => {
  const asked: string[][] = []
  const relays = new OfferedRelays('public', undefined, (places) => {
    asked.push(places.map(({ host }) => host))
    return Promise.resolve(new Set(['203.0.113.9']))
  })
  const regions = turn(
    'turn:198.51.100.7',
    'turn:198.51.100.7:443?transport=tcp',
    'turn:203.0.113.9',
    'turn:203.0.113.9:443?transport=tcp',
    'turn:192.0.2.1?transport=tcp',
  )
  const near = turn(
    'turn:203.0.113.9:3478?transport=udp',
    'turn:203.0.113.9:443?transport=tcp',
    'turn:192.0.2.1:3478?transport=tcp',
  )
  expect(await relays.check(regions)).toEqual(near)
  expect(await relays.check(regions)).toEqual(near)
  // The same relays are as near for another receiver of the share.
  expect(asked).toEqual([['198.51.100.7', '203.0.113.9']])
})
