import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import type { WebSocket } from 'ws'
import { ChannelKey } from '#shared/signaling/secure-channel'
import { makeConfig } from '#signaling/config/config'
import { connectionRules } from '#signaling/limits/limits'
import { ServerMetrics } from '#signaling/metrics/server-metrics'
import { systemRandom } from '#signaling/random'
import type { ConnectionId, Effect } from '#signaling/rooms/rooms'
import { Connection } from '#signaling/socket/connection'
import type { ConnectionContext } from '#signaling/socket/connection-context'
import { FakeClock } from './fake-clock.ts'

/** A socket that records its messages. */
class FullSocket extends EventEmitter {
  readonly sent: string[] = []
  closedWith: number | null = null
  constructor(readonly bufferedAmount: number) {
    super()
  }
  send(text: string): void {
    this.sent.push(text)
  }
  close(code: number): void {
    this.closedWith = code
  }
}

/** Delivers a joiner's message to a host with this many waiting bytes, and returns the result. */
function handedOver(bufferedAmount: number, isStranger: boolean) {
  const config = makeConfig({})
  if (!config.ok) throw new Error(config.error.detail)
  const delivered: Effect[] = []
  const socket = new FullSocket(bufferedAmount)
  const context: Partial<ConnectionContext> = {
    rules: connectionRules(config.value),
    clock: new FakeClock(),
    random: systemRandom,
    log: () => undefined,
    nameAddress: () => ({}),
    metrics: new ServerMetrics(),
    deliver: (effects) => delivered.push(...effects),
  }
  const id = 'host' as ConnectionId
  const facts = {
    id,
    address: '203.0.113.7',
    isGuest: false,
    isReserved: false,
    isPage: false,
    joins: false,
    key: new ChannelKey(),
  }
  const host = new Connection(facts, socket as unknown as WebSocket, context as ConnectionContext)
  socket.sent.length = 0
  host.carryOut({
    ...{ type: 'hand-over', to: id, joiner: 'joiner' as ConnectionId, isStranger },
    message: { t: 'relay', from: '0123456789abcdef', body: 'AA==' },
  })
  expect(socket.closedWith).toBeNull()
  return { isTaken: socket.sent.length > 0, delivered }
}

const refusal = { type: 'refuse', to: 'joiner', code: 'E_RATE_LIMITED' }

describe("a joiner's message to a host with many waiting bytes", () => {
  it.each([
    [128 * 1024, true, true],
    [128 * 1024 + 1, true, false],
    [128 * 1024 + 1, false, true],
    [192 * 1024, false, true],
    [192 * 1024 + 1, false, false],
  ])('with %d bytes, of a stranger: %s, is taken: %s', (waiting, isStranger, isTaken) => {
    const delivered = isTaken ? [] : [refusal]
    expect(handedOver(waiting, isStranger)).toEqual({ isTaken, delivered })
  })
})
