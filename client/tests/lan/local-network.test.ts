import { decode, encode, type Packet } from 'dns-packet'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { announce, announcementsIn, isOf, question, recordsOf } from '#client/lan/announcement'
import { nearAddresses } from '#client/lan/interfaces'
import { type FoundServer, LocalNetwork } from '#client/lan/local-network'
import { fixedServer } from '#client/signaling/server-locator'
import { FakeLan, near } from '#client/testing/fake-lan'
import { ManualClock } from '#client/testing/manual-clock'
import type { LocalNetworkStatus } from '#shared/state/local-network-status'

const port = 41480
const settled = () => new Promise((resolve) => setImmediate(resolve))

function computer(
  lan: FakeLan,
  addresses = [near('192.168.7.1')],
  isVisible = true,
  hasPage = false,
) {
  const clock = new ManualClock()
  const statuses: LocalNetworkStatus[] = []
  const place = { addresses, answers: true }
  const network = new LocalNetwork({
    ...{ server: fixedServer('ws://127.0.0.1:41480'), port, clock, isVisible, open: lan.open },
    hasPage,
    addresses: () => place.addresses,
    answersAt: () => Promise.resolve(place.answers),
    onStatus: (status) => statuses.push(status),
  })
  const find = (nameplate: string) => {
    const found: FoundServer[] = []
    return { found, stop: network.search(nameplate, (server) => found.push(server)) }
  }
  /** Advances the clock, and waits for the effects. */
  const pass = async (ms: number) => {
    clock.advance(ms)
    await settled()
  }
  return { network, clock, statuses, place, find, pass }
}

const answersOf = (lan: FakeLan) => lan.packets.filter(({ packet }) => packet.type === 'response')

describe('an announcement', () => {
  it('is found by a searcher that knows the nameplate, at its source address', () => {
    const lan = new FakeLan()
    const sender = computer(lan)
    const receiver = computer(lan, [near('192.168.7.2')])
    sender.network.announce('4821')
    const { found } = receiver.find('4821')
    expect(found).toMatchObject([
      { url: 'ws://192.168.7.1:41480/v1', dial: { host: '192.168.7.1', port } },
    ])
    expect(receiver.find('4822').found).toEqual([])
  })

  it('reveals neither the nameplate nor a name, and has a new salt and instance each time', () => {
    const lan = new FakeLan()
    const { network } = computer(lan)
    network.announce('4821')
    network.announce('4821')
    for (const { bytes } of lan.packets) expect(bytes.toString('latin1')).not.toContain('4821')
    const [first, second] = lan.packets.flatMap(({ packet }) =>
      announcementsIn(decode(encode(packet))),
    )
    expect(first?.texts['s']).not.toBe(second?.texts['s'])
    expect(first?.instance).not.toBe(second?.instance)
  })

  it('leads to a link-local address with its zone, which a URL cannot contain', () => {
    const lan = new FakeLan()
    computer(lan, [near('fe80::1%eth0')]).network.announce('4821')
    const { found } = computer(lan, [near('fe80::2%eth0')]).find('4821')
    expect(found).toMatchObject([
      { url: 'ws://[fe80::1]:41480/v1', dial: { host: 'fe80::1%eth0', port } },
    ])
  })

  it('is repeated after a second, and withdrawn at the end', () => {
    const lan = new FakeLan()
    const { network, clock } = computer(lan)
    const stop = network.announce('4821')
    clock.advance(1000)
    expect(answersOf(lan)).toHaveLength(2)
    stop()
    const last = answersOf(lan).at(-1)?.packet.answers ?? []
    expect(last.map((record) => ('ttl' in record ? record.ttl : null))).toEqual([0, 0, 0, 0])
    expect(lan.sockets).toBe(0)
    expect(clock.delays).toEqual([])
  })

  it('is sent at most twice a second, however many queries arrive', () => {
    const lan = new FakeLan()
    const { network, clock } = computer(lan)
    network.announce('4821')
    clock.advance(5000)
    const before = answersOf(lan).length
    for (let asked = 0; asked < 100; asked += 1) {
      lan.send('192.168.7.9', question)
      clock.advance(10)
    }
    expect(answersOf(lan).length - before).toBeLessThanOrEqual(3)
  })

  it('is exchanged only with computers nearby', () => {
    const lan = new FakeLan()
    const { network, clock } = computer(lan)
    network.announce('4821')
    clock.advance(5000)
    const before = answersOf(lan).length
    lan.send('203.0.113.7', question)
    expect(answersOf(lan)).toHaveLength(before)
    const { found } = computer(lan, [near('192.168.7.2')]).find('5000')
    const answers = [...recordsOf(announce('5000', port), near('203.0.113.7'), false)]
    lan.send('203.0.113.7', { type: 'response', answers })
    expect(found).toEqual([])
  })

  it('follows networks as they come and go', () => {
    const lan = new FakeLan()
    const { network, clock, place } = computer(lan)
    network.announce('4821')
    place.addresses = [near('192.168.7.1'), near('10.8.0.2', 'tun0')]
    clock.advance(5000)
    expect(answersOf(lan).map(({ from }) => from)).toContain('10.8.0.2')
    place.addresses = []
    clock.advance(5000)
    expect(lan.sockets).toBe(0)
  })

  it('survives lines that break, and opens them again', () => {
    const lan = new FakeLan()
    const { network, clock } = computer(lan)
    network.announce('4821')
    lan.breakLines()
    clock.advance(5000)
    expect(lan.sockets).toBe(1)
  })
})

describe('the visibility of a share', () => {
  it('is detected by the echo', async () => {
    const { network, statuses, pass } = computer(new FakeLan())
    const stop = network.announce('4821')
    await pass(0)
    const visible = { phase: 'visible', urls: ['ws://192.168.7.1:41480'] }
    expect(statuses).toEqual([visible])
    stop()
    expect(statuses).toEqual([visible, { phase: 'idle' }])
  })

  it('includes that of the page for browsers', async () => {
    const { network, statuses, pass } = computer(new FakeLan(), undefined, true, true)
    network.announce('4821')
    await pass(0)
    expect(statuses).toMatchObject([{ phase: 'visible', hasPage: true }])
  })

  it.each(['multicast', 'port', 'no-network'] as const)(
    'is denied because of %s',
    async (reason) => {
      const lan = new FakeLan()
      const { network, statuses, place, pass } = computer(lan)
      lan.isBlocked = reason === 'multicast'
      place.answers = reason !== 'port'
      if (reason === 'no-network') place.addresses = []
      network.announce('4821')
      await pass(0)
      expect(statuses).toEqual([])
      await pass(2000)
      const urls = reason === 'multicast' ? ['ws://192.168.7.1:41480'] : []
      expect(statuses).toEqual([{ phase: 'blocked', reason, urls }])
      lan.isBlocked = false
      place.answers = true
      place.addresses = [near('192.168.7.1')]
      await pass(15_000)
      await pass(2000)
      expect(statuses.at(-1)).toMatchObject({ phase: 'visible' })
    },
  )

  it('is chosen by a person', () => {
    const lan = new FakeLan()
    const { network, statuses, find } = computer(lan)
    network.announce('4821')
    network.setVisible(false)
    expect(statuses).toEqual([{ phase: 'off' }])
    expect(network.isThere).toBe(false)
    expect(lan.sockets).toBe(0)
    network.setVisible(true)
    expect(find('4821').found).toHaveLength(1)
  })
})

describe('a search', () => {
  it('repeats its question, and ends without a trace', () => {
    const lan = new FakeLan()
    const { clock, find } = computer(lan)
    const { stop } = find('4821')
    clock.advance(3000)
    expect(lan.packets).toHaveLength(4)
    stop()
    expect(clock.delays).toEqual([])
    expect(lan.sockets).toBe(0)
  })

  it('reports each address once, and at most sixteen', () => {
    const lan = new FakeLan()
    const { found } = computer(lan).find('4821')
    for (let host = 1; host <= 30; host += 1) {
      const address = near(`192.168.7.${host}`)
      const answers = [...recordsOf(announce('4821', port), address, false)]
      lan.send(address.address, { type: 'response', answers })
      lan.send(address.address, { type: 'response', answers })
    }
    expect(found).toHaveLength(16)
  })

  const ask = (lan: FakeLan, from: string, times: number): void => {
    for (let count = 0; count < times; count += 1) lan.send(from, question)
  }
  const announcementAt = (address: string): Packet => ({
    type: 'response',
    answers: [...recordsOf(announce('4821', port), near(address), false)],
  })

  it('reads at most 200 packets per second', () => {
    const lan = new FakeLan()
    const { find, clock } = computer(lan)
    const { found } = find('4821')
    for (let host = 10; host < 20; host += 1) ask(lan, `192.168.7.${host}`, 30)
    lan.send('192.168.7.2', announcementAt('192.168.7.2'))
    expect(found).toEqual([])
    clock.advance(1000)
    lan.send('192.168.7.2', announcementAt('192.168.7.2'))
    expect(found).toHaveLength(1)
  })

  it('finds a share next to a computer that floods the network, and on a busy network', () => {
    const lan = new FakeLan()
    const { found } = computer(lan).find('4821')
    ask(lan, '192.168.7.9', 1000)
    const other: Packet = { type: 'query', questions: [{ name: '_ipp._tcp.local', type: 'PTR' }] }
    for (let count = 0; count < 1000; count += 1) lan.send('192.168.7.8', other)
    lan.send('192.168.7.2', announcementAt('192.168.7.2'))
    expect(found).toHaveLength(1)
  })

  it('reads five shares in one packet, the most that are announced that way', () => {
    const lan = new FakeLan()
    const sender = computer(lan, [near('fe80::1:2:3:4%eth0')])
    for (const nameplate of ['4821', '4822', '4823', '4824', '482100'])
      sender.network.announce(nameplate)
    const { found } = computer(lan, [near('fe80::2%eth0')]).find('482100')
    expect(found).toHaveLength(1)
    expect(Math.max(...lan.packets.map(({ bytes }) => bytes.length))).toBeGreaterThan(1200)
  })
})

describe('records of strangers', () => {
  const good = [...recordsOf(announce('4821', port), near('192.168.7.1'), false)]
  const withRecord = (index: number, change: object): Packet => ({
    type: 'response',
    answers: good.map((record, at) => (at === index ? { ...record, ...change } : record)),
  })

  it.each([
    ['another name', withRecord(1, { name: 'Mina._thruflux._tcp.local' })],
    ['a port of the system', withRecord(1, { data: { port: 80, target: 'a.local' } })],
    ['a farewell', withRecord(1, { ttl: 0 })],
    ['no texts', withRecord(2, { data: [] })],
    [
      'another version',
      withRecord(2, { data: ['v=2', `s=${'a'.repeat(16)}`, `h=${'a'.repeat(16)}`] }),
    ],
    ['text that is not UTF-8', withRecord(2, { data: [Buffer.from('v=1\xff', 'latin1')] })],
    ['too many texts', withRecord(2, { data: [...Array<string>(20).fill('x=1'), 'v=1'] })],
  ])('are ignored with %s', (_what, packet) => {
    expect(announcementsIn(decode(encode(packet)))).toEqual([])
  })

  it('are of no share with a salt of another length', () => {
    const packet = withRecord(2, { data: ['v=1', `s=${'a'.repeat(200)}`, `h=${'a'.repeat(16)}`] })
    const [read] = announcementsIn(decode(encode(packet)))
    expect(read && isOf(read, '4821')).toBe(false)
  })

  it('are read up to a limit', () => {
    const many = Array.from({ length: 50 }, () => good).flat()
    expect(announcementsIn({ type: 'response', answers: many }).length).toBeLessThanOrEqual(16)
  })

  it('are only ever ignored', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        let packet: Packet
        try {
          packet = decode(Buffer.from(bytes))
        } catch {
          return
        }
        for (const one of announcementsIn(packet)) isOf(one, '4821')
      }),
    )
  })
})

it('uses only addresses that computers further away cannot reach', () => {
  const told = {
    lo: [{ address: '127.0.0.1', internal: true }],
    eth0: [
      { address: '192.168.7.1', internal: false },
      { address: '2001:db8::1', internal: false, scopeid: 0 },
      { address: 'fe80::1', internal: false, scopeid: 2 },
    ],
    wan: [{ address: '203.0.113.7', internal: false }],
  } as unknown as Parameters<typeof nearAddresses>[0]
  expect(nearAddresses(told).map(({ address }) => address.replace(/%.*/, ''))).toEqual([
    '192.168.7.1',
    'fe80::1',
  ])
})
