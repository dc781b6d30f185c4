import { expect, it } from 'vitest'
import { checkRelays } from '#client/network-check/relays'
import {
  attributes,
  type Endpoint,
  maskedEndpoint,
  methods,
} from '#client/network-check/stun-message'
import type { StunAnswer, StunSocket } from '#client/network-check/stun-socket'
import { direct } from '#client/proxy/proxy-choice'
import { ManualClock } from '#client/testing/manual-clock'

const server: Endpoint = { host: '203.0.113.1', port: 3478 }

/**
 * Measures a TURN server with this `relayed` address. The server returns every datagram after `silentMs`. Returns the
 * datagrams sent and the measured rate.
 */
async function measured(relayed: Endpoint, silentMs = Infinity) {
  const clock = new ManualClock()
  const written: Endpoint[] = []
  const returning: StunAnswer['message'][] = []
  let receive: (message: StunAnswer['message']) => void = () => undefined
  const said = (kind: StunAnswer['message']['kind'], carried: [number, Buffer][]): StunAnswer => ({
    message: {
      ...{ kind, method: methods.allocate, transaction: Buffer.alloc(12) },
      attributes: new Map(carried),
    },
    ...{ from: server, ms: 20 },
  })
  const line: StunSocket = {
    ask: (_place, { method = methods.binding, key }) =>
      Promise.resolve(
        method === methods.allocate && key === undefined
          ? said('error', [
              [attributes.errorCode, Buffer.from([0, 0, 4, 1])],
              [attributes.realm, Buffer.from('test')],
              [attributes.nonce, Buffer.from('1')],
            ])
          : said('success', [
              [attributes.relayedAddress, maskedEndpoint(relayed)],
              [attributes.mappedAddress, maskedEndpoint({ host: '198.51.100.7', port: 40_000 })],
            ]),
      ),
    tell: (endpoint, datagram) => {
      if (endpoint.port === 0) throw new RangeError('as a socket does')
      written.push(endpoint)
      if (clock.now() < silentMs) return
      returning.push({
        ...said('indication', [[attributes.data, datagram]]).message,
        method: methods.data,
      })
      if (returning.length > 1) return
      clock.after(100, () => returning.splice(0).forEach((message) => receive(message)))
    },
    onOther: (listener) => {
      receive = listener
    },
    port: 40_000,
    close: () => undefined,
  }
  const finding = checkRelays([`turn:mina:w0rd@${server.host}:${server.port}`], {
    ...{ clock, proxyFor: direct, lookUp: () => Promise.resolve([]), measures: true },
    open: () => Promise.resolve(line),
  })
  for (let turn = 0; turn < 700; turn += 1) {
    await Promise.resolve()
    clock.advance(10)
  }
  const findings = await finding
  const [rate] = findings.flatMap(({ facts }) =>
    'bytesPerSecond' in facts ? [facts.bytesPerSecond] : [],
  )
  return { found: findings.map(({ verdict }) => verdict), written, rate }
}

it('sends to the address of a relay to measure it', async () => {
  const relayed = { host: '203.0.113.8', port: 50_000 }
  const { found, written } = await measured(relayed)
  expect(found).toEqual(['works'])
  expect(written[0]).toEqual(relayed)
})

it('measures for a second from the first datagram that returns', async () => {
  const relayed = { host: '203.0.113.8', port: 50_000 }
  const [prompt, late] = [await measured(relayed, 0), await measured(relayed, 3000)]
  for (const { found } of [prompt, late]) expect(found).toEqual(['works', 'fast'])
  expect(prompt.rate).toBeGreaterThan(1_000_000)
  expect(late.rate).toBe(prompt.rate)
})

it.each(['127.0.0.1', '192.168.1.1', '169.254.1.1', '0.0.0.0', '224.0.0.1', '255.255.255.255'])(
  'sends nothing to %s because a public relay names it',
  async (host) => {
    const { found, written } = await measured({ host, port: 50_000 })
    expect(found).toEqual(['works'])
    expect(written).toEqual([])
  },
)

it('continues without a rate when a relay names port 0', async () => {
  const { found, written } = await measured({ host: '203.0.113.8', port: 0 })
  expect(found).toEqual(['works'])
  expect(written).toEqual([])
})
