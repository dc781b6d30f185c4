import { describe, expect, it } from 'vitest'
import { appError } from '#shared/errors'
import { sparklinePoints } from '../components/graphs/sparkline'
import { routeWhy, routeWord, serverWords } from '../view/network-view'
import { initials, personHue } from '../view/person'
import { route } from './states'

describe('a person', () => {
  it.each([
    ['Mina Park', 'MP'],
    ['build-host', 'BH'],
    ['Mina', 'M'],
    ['Anna Maria von Berg', 'AB'],
    ['사라 이', '사이'],
    ['😀', ''],
    ['', ''],
  ])('%s is %s', (name, letters) => {
    expect(initials(name)).toBe(letters)
  })

  it('always has the same color', () => {
    expect(personHue('Mina Park')).toBe(personHue('Mina Park'))
    const hues = ['a', 'b', 'c', 'd', 'e', 'f'].map(personHue)
    expect(new Set(hues).size).toBeGreaterThan(3)
  })
})

describe('routeWord', () => {
  it.each([
    [{ ...route, kind: 'local' as const }, 'Local network'],
    [route, 'Direct'],
    [{ ...route, family: 6 as const }, 'Direct, IPv6'],
    [{ ...route, family: 6 as const, transport: 'tcp' as const }, 'Direct, TCP'],
    [{ ...route, kind: 'relay' as const }, 'Relayed'],
    [{ ...route, kind: 'relay' as const, transport: 'tcp' as const }, 'Relayed, TCP'],
    [
      { ...route, kind: 'relay' as const, transport: 'tcp' as const, serverRelay: true as const },
      'Via the server',
    ],
  ])('%#', (which, word) => {
    expect(routeWord(which)).toBe(word)
  })
})

describe('routeWhy', () => {
  const relayed = { ...route, kind: 'relay', relay: 'relay.example.org' } as const

  it('names the reason for a relay, if it is known', () => {
    expect(routeWhy({ ...relayed, why: 'own-udp' })).toBe(
      "Your network blocks UDP. Allow UDP in the firewall for direct connections. relay.example.org relays encrypted data it can't read.",
    )
    expect(routeWhy(relayed)).toMatch(/^A direct connection wasn't possible\./)
  })

  it('says that the server itself relays a server relay, with the reason', () => {
    const serverRelay = { ...relayed, relay: 'meet.example.org', serverRelay: true } as const
    expect(routeWhy(serverRelay)).toMatch(/^Nothing else gets through, so meet\.example\.org, /)
    expect(routeWhy({ ...serverRelay, why: 'own-udp' })).toMatch(
      /^Your network blocks UDP\. .* Nothing else gets through, so /,
    )
  })
})

describe('serverWords', () => {
  const url = 'wss://meet.example.org/v1'
  const connected = { phase: 'connected' as const, url, insecure: false }

  it.each([
    [{ phase: 'idle' as const }, 'Ready', 'idle'],
    [{ ...connected, embedded: false }, 'Ready via meet.example.org', 'ready'],
    [{ ...connected, embedded: true }, 'Ready on this computer', 'ready'],
    [
      { ...connected, embedded: false, insecure: true },
      'Ready via meet.example.org, not encrypted',
      'warning',
    ],
    [
      { phase: 'unreachable' as const, url, error: appError('E_SERVER_UNREACHABLE') },
      "meet.example.org isn't responding",
      'warning',
    ],
    [
      { phase: 'unreachable' as const, url, error: appError('E_SERVER_IDENTITY') },
      "meet.example.org isn't trusted",
      'warning',
    ],
    [
      { phase: 'unreachable' as const, url, error: appError('E_SERVER_PASSWORD') },
      'meet.example.org requires a password',
      'warning',
    ],
  ])('%#', (server, words, dot) => {
    expect(serverWords(server)).toMatchObject({ words, dot })
  })
})

describe('serverWords without a server', () => {
  const server = { phase: 'connected', url: '', embedded: true, insecure: false } as const
  const urls = ['ws://192.168.7.1:41480']

  it.each([
    [{ phase: 'off' }, 'Ready on this computer', 'ready'],
    [{ phase: 'visible', urls }, 'Ready on this network', 'ready'],
    [{ phase: 'blocked', reason: 'port', urls: [] }, "Can't be found on this network", 'warning'],
  ] as const)('%#', (network, words, dot) => {
    expect(serverWords(server, network)).toMatchObject({ words, dot })
  })

  it('name the address to type if announcements are blocked', () => {
    const blocked = { phase: 'blocked', reason: 'multicast', urls } as const
    expect(serverWords(server, blocked).why).toContain(urls[0])
  })
})

describe('sparklinePoints', () => {
  it('draws each gap at the height of its speed, the fastest at the top', () => {
    const samples = [0, 10, 30, 30].map((bytes, index) => ({ atMs: index * 1000, bytes }))
    expect(sparklinePoints(samples)).toEqual(['0.0,12.5', '28.0,2.0', '56.0,23.0'])
  })

  it('has nothing to draw without time', () => {
    expect(
      sparklinePoints([
        { atMs: 1, bytes: 0 },
        { atMs: 1, bytes: 9 },
      ]),
    ).toEqual([])
  })
})
