import { describe, expect, it } from 'vitest'
import { askEach, natBehavior, type Seen } from '#client/network-check/nat-behavior'
import { attributes, type Endpoint, maskedEndpoint } from '#client/network-check/stun-message'
import type { StunAnswer, StunSocket } from '#client/network-check/stun-socket'
import { ManualClock } from '#client/testing/manual-clock'
import type { Filtering, Mapping } from '#shared/state/network-check'

const main: Endpoint = { host: '203.0.113.1', port: 3478 }
const other: Endpoint = { host: '203.0.113.2', port: 3479 }
const second: Endpoint = { host: '203.0.113.9', port: 3478 }
const own = '192.168.1.7'

/** A router and servers behind it; the first server has two addresses unless `isPlain`. */
function world(
  mapping: Mapping,
  filtering: Filtering,
  { isPlain = false, ignoresChange = false, otherAt = other } = {},
) {
  let sockets = 40_000
  const open = (): Promise<StunSocket> => {
    const port = (sockets += 1)
    const written: Endpoint[] = []
    const mappedFor = (to: Endpoint): Endpoint => {
      if (mapping === 'none') return { host: own, port }
      const perHost = to.host === main.host ? 1 : 2
      const extra =
        mapping === 'endpoint' ? 0 : mapping === 'address' ? perHost : perHost * 10 + (to.port % 10)
      return { host: '198.51.100.7', port: port + extra * 100 }
    }
    const lets = (from: Endpoint): boolean =>
      filtering === 'endpoint' ||
      written.some(
        ({ host, port: at }) => host === from.host && (filtering === 'address' || at === from.port),
      )
    const line: StunSocket = {
      port,
      close: () => undefined,
      tell: () => undefined,
      onOther: () => undefined,
      ask: (endpoint, { carried = [] }) => {
        written.push(endpoint)
        const [[, change] = []] = carried
        const moves = !ignoresChange && change !== undefined
        const host = moves && change[3] === 6 ? other.host : endpoint.host
        const from = moves ? { host, port: other.port } : endpoint
        if (!lets(from)) return Promise.resolve(null)
        return Promise.resolve(
          answer(
            from,
            mappedFor(endpoint),
            isPlain || endpoint.host === second.host ? null : otherAt,
          ),
        )
      },
    }
    return Promise.resolve(line)
  }
  return open
}

function answer(from: Endpoint, mapped: Endpoint, named: Endpoint | null): StunAnswer {
  const carried = new Map<number, Buffer>([[attributes.mappedAddress, maskedEndpoint(mapped)]])
  if (named !== null) {
    const value = Buffer.from([0, 1, 0, 0, ...named.host.split('.').map(Number)])
    value.writeUInt16BE(named.port, 2)
    carried.set(attributes.otherAddress, value)
  }
  const message = {
    kind: 'success',
    method: 1,
    transaction: Buffer.alloc(12),
    attributes: carried,
  } as const
  return { message, from, ms: 20 }
}

async function behavior(open: () => Promise<StunSocket>, servers: readonly Endpoint[] = [main]) {
  const line = await open()
  const seen = (await askEach(line, servers)).filter((one): one is Seen => one !== null)
  return natBehavior(line, seen, { own: [own], family: 4, open, clock: new ManualClock() })
}

describe('the behavior of a router', () => {
  it.each([
    ['none', 'endpoint'],
    ['none', 'port'],
    ['endpoint', 'endpoint'],
    ['endpoint', 'address'],
    ['endpoint', 'port'],
    ['address', 'address'],
    ['port', 'port'],
  ] as const)('is found by one server with two addresses: %s, %s', async (mapping, filtering) => {
    expect(await behavior(world(mapping, filtering))).toEqual({ mapping, filtering })
  })

  it('is compared among servers with one address, and filtering stays unknown', async () => {
    const isPlain = { isPlain: true }
    const both = [main, second]
    const filtering = 'unknown'
    expect(await behavior(world('endpoint', 'port', isPlain), both)).toEqual({
      ...{ mapping: 'endpoint', filtering },
    })
    expect(await behavior(world('address', 'port', isPlain), both)).toEqual({
      ...{ mapping: 'destination', filtering },
    })
    expect(await behavior(world('endpoint', 'port', isPlain), [main])).toEqual({
      ...{ mapping: 'unknown', filtering },
    })
    const twice = [main, { ...main, port: 3479 }]
    expect(await behavior(world('endpoint', 'port', isPlain), twice)).toEqual({
      ...{ mapping: 'unknown', filtering },
    })
  })

  it('is not judged by a server that answers from the queried place', async () => {
    expect(await behavior(world('endpoint', 'port', { ignoresChange: true }))).toMatchObject({
      filtering: 'unknown',
    })
  })

  it.each(['192.168.1.1', '127.0.0.1', '224.0.0.251', main.host])(
    'is not tested at %s, which a server names',
    async (host) => {
      const otherAt = { host, port: 3479 }
      expect(await behavior(world('endpoint', 'endpoint', { otherAt }))).toEqual({
        ...{ mapping: 'unknown', filtering: 'unknown' },
      })
    },
  )
})
