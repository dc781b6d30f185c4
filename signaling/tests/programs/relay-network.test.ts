/**
 * Destinations that coturn reaches with the configuration in this repository, in a network with every kind of
 * address: forbidden ones receive nothing, whichever method a client uses.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '#signaling/clock'
import { TurnService } from '#signaling/socket/turn-service'
import { hasNetworkNamespaces, NetworkNamespace } from './network-namespace'
import { answers, peerPort, TurnClient } from './turn-client'

const configuration = fileURLToPath(new URL('../../deploy/coturn/turnserver.conf', import.meta.url))
const turnSecret = 'north-wind-and-the-sun'
const service = new TurnService(
  { turnUrls: ['turn:127.0.0.1'], turnSecret, turnTtl: 600 },
  systemClock,
)

/** One or more addresses of each forbidden kind. */
const forbidden = [
  ['this network', '0.0.0.1'],
  ['a private network', '10.1.2.3'],
  ['a private network', '172.16.0.1'],
  ['a private network', '192.168.1.1'],
  ['a shared network (CGNAT)', '100.64.1.1'],
  ['the loopback', '127.0.0.9'],
  ['the metadata of a cloud', '169.254.169.254'],
  ['the metadata of another cloud', '100.100.100.200'],
  ['IETF protocols', '192.0.0.8'],
  ['documentation', '203.0.113.1'],
  ['benchmarks', '198.18.0.1'],
  ['reserved', '240.0.0.1'],
  ['the loopback', '::1'],
  ['unique local', 'fd00::1'],
  ['the metadata of a cloud', 'fd00:ec2::254'],
  ['NAT64', '64:ff9b::a00:1'],
  ['local NAT64', '64:ff9b:1::a00:1'],
  ['6to4', '2002:a00:1::1'],
  ['Teredo', '2001:0:1::1'],
  ['site-local', 'fec0::1'],
  ['documentation', '2001:db8::1'],
] as const

/** Addresses that no host here can have: ends of networks, multicast, and IPv4 inside IPv6. */
const unassigned = [
  ...[
    '172.31.255.254',
    '192.0.2.1',
    '198.51.100.1',
    '192.88.99.1',
    '224.0.0.251',
    '255.255.255.255',
  ],
  ...['::', '::7f00:1', '::ffff:a01:203', '::ffff:a9fe:a9fe', '::ffff:7f00:9', '100::1'],
  ...['3fff::1', 'fe80::1', 'ff02::1'],
]

const open = ['8.8.8.8', '2606:4700::1111'] as const
/** Neighbors of forbidden ranges. */
const near = ['172.32.0.1', '100.128.0.1', '2a00:1450::1']

const ofLoopback = ['127.0.0.9', '::1']
const everyone = [...forbidden.map(([, address]) => address), ...open]
const familyOf = (address: string): 4 | 6 => (address.includes(':') ? 6 : 4)

describe.skipIf(!hasNetworkNamespaces())(
  'a relay in a network with addresses of every kind',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'thru-relay-network-'))
    const heard = new Map<string, string[]>()
    const onHeard = new Map<string, () => void>()
    let network: NetworkNamespace

    beforeAll(async () => {
      network = await NetworkNamespace.open(
        everyone.filter((address) => !ofLoopback.includes(address)),
      )
      for (const address of everyone) {
        heard.set(address, [])
        const onMessage = (data: Buffer): void => {
          heard.get(address)?.push(data.toString())
          onHeard.get(address)?.()
        }
        await network.socket(address, onMessage, peerPort)
      }
    })

    afterAll(async () => {
      await network.close()
      rmSync(folder, { recursive: true, force: true })
    })

    async function startRelay(port: number, ...options: readonly string[]): Promise<void> {
      network.spawn('turnserver', [
        ...options,
        `--listening-port=${port}`,
        '--listening-ip=127.0.0.1',
        '--relay-ip=127.0.0.1',
        '--relay-ip=::1',
        '--realm=test',
        `--static-auth-secret=${turnSecret}`,
        '--no-tls',
        '--no-dtls',
        '--log-file=stdout',
        `--pidfile=${join(folder, `${port}.pid`)}`,
        `--userdb=${join(folder, `${port}.db`)}`,
      ])
      await answers(port, (onMessage) => network.socket('127.0.0.1', onMessage))
    }

    async function clientOf(port: number): Promise<TurnClient> {
      let client: TurnClient | null = null
      const socket = await network.socket('127.0.0.1', (data) => client?.onMessage(data))
      client = new TurnClient(port, service.issue('203.0.113.7'), socket)
      return client
    }

    /** Resolves when the data sent to this address has arrived. */
    const arrivalAt = (address: string): Promise<void> =>
      new Promise((resolve) => onHeard.set(address, resolve))

    it.each([4, 6] as const)(
      'TURN-01: IPv%i leads to none of them by permission, channel or indication, and to the internet by all three',
      async (family) => {
        const port = 3478 + family
        await startRelay(port, '-c', configuration)
        const client = await clientOf(port)
        expect(await client.allocate(family)).toBe(0)
        const targets = [...forbidden.map(([, address]) => address), ...unassigned].filter(
          (each) => familyOf(each) === family,
        )
        for (const [index, address] of targets.entries()) {
          expect([address, await client.permit(address)]).toEqual([address, 403])
          expect([address, await client.bind(address, 0x4000 + index)]).toEqual([address, 403])
          client.send(address, Buffer.from('by an indication'))
          client.sendThrough(0x4000 + index, Buffer.from('through a channel'))
        }
        for (const address of near.filter((each) => familyOf(each) === family))
          expect([address, await client.permit(address)]).toEqual([address, 0])
        const internet = open[family === 4 ? 0 : 1]
        expect(await client.permit(internet)).toBe(0)
        expect(await client.bind(internet, 0x4fff)).toBe(0)
        // The relay has handled everything sent before on the same socket.
        const first = arrivalAt(internet)
        client.send(internet, Buffer.from('by an indication'))
        await first
        const second = arrivalAt(internet)
        client.sendThrough(0x4fff, Buffer.from('through a channel'))
        await second
        const reached = [...heard].filter(([, messages]) => messages.length > 0)
        expect(reached).toEqual([[internet, ['by an indication', 'through a channel']]])
        heard.set(internet, [])
      },
    )

    it('TURN-06: reaches no address without a permission, even on the internet', async () => {
      const port = 3490
      await startRelay(port, '-c', configuration)
      const client = await clientOf(port)
      expect(await client.allocate(4)).toBe(0)
      client.send('8.8.8.8', Buffer.from('unasked'))
      expect(await client.permit('8.8.8.8')).toBe(0)
      const arrived = arrivalAt('8.8.8.8')
      client.send('8.8.8.8', Buffer.from('asked'))
      await arrived
      expect(heard.get('8.8.8.8')).toEqual(['asked'])
      heard.set('8.8.8.8', [])
    })

    it('TURN-01: opens no TCP connections', async () => {
      const port = 3491
      await startRelay(port, '-c', configuration)
      const client = await clientOf(port)
      expect(await client.allocate(4, 'tcp')).toBe(442)
      const another = await clientOf(port)
      expect(await another.allocate(4)).toBe(0)
      expect(await another.connect('10.1.2.3')).not.toBe(0)
      expect(await another.connect('8.8.8.8')).not.toBe(0)
    })

    it('reaches them without the configuration, which shows that it blocks them', async () => {
      const port = 3492
      await startRelay(port, '-n', '--use-auth-secret', '--no-cli')
      for (const family of [4, 6] as const) {
        const client = await clientOf(port)
        expect(await client.allocate(family)).toBe(0)
        const targets = family === 4 ? ['10.1.2.3', '169.254.169.254'] : ['fd00::1']
        for (const address of targets) {
          expect(await client.permit(address)).toBe(0)
          const arrived = arrivalAt(address)
          client.send(address, Buffer.from('in'))
          await arrived
        }
      }
    })
  },
)
