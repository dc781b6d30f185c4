import { EventEmitter } from 'node:events'
import { expect, it } from 'vitest'
import type { WebSocket } from 'ws'
import { maxServerRelayMessageBytes } from '#shared/signaling/messages'
import { Count } from '#signaling/metrics/metric'
import { ServerRelay, type ServerRelayRules } from '#signaling/socket/server-relay'
import { FakeClock } from './fake-clock.ts'

const MiB = 1024 * 1024

/** A socket whose data the system accepts only when the test allows it. */
class SlowSocket extends EventEmitter {
  bufferedAmount = 0
  isPaused = false
  isClosed = false
  readonly waiting: { readonly data: Buffer; readonly done: () => void }[] = []

  send(data: Buffer, done: () => void = () => undefined): void {
    this.bufferedAmount += data.length
    this.waiting.push({ data, done })
  }

  pong(data: Buffer, _mask: boolean, done: () => void): void {
    this.send(data, done)
  }

  pause(): void {
    this.isPaused = true
  }

  close(): void {
    this.isClosed = true
  }

  resume(): void {
    this.isPaused = false
  }

  /** Makes the system accept everything. */
  flow(): readonly Buffer[] {
    return this.waiting.splice(0).map(({ data, done }) => {
      this.bufferedAmount -= data.length
      done()
      return data
    })
  }

  /** Delivers messages that the server reads in one piece. */
  async says(...messages: readonly Buffer[]): Promise<void> {
    for (const data of messages) this.emit('message', data, true)
    await Promise.resolve()
  }
}

const rules = {
  bytesPerSecond: 1000 * MiB,
  bytes: 1000 * MiB,
  waitMs: 1000,
  lifeMs: 100_000,
  idleMs: 2000,
  closingMs: 1,
}

/** Two sides of a server relay that may carry `bytes`. */
function sides(bytes = rules.bytes): readonly [SlowSocket, SlowSocket] {
  return withServerRelay({ ...rules, bytes }).both
}

function withServerRelay(bounds: ServerRelayRules) {
  const clock = new FakeClock()
  const carried = new Count('thru_server_relay_bytes_total', '')
  const serverRelay = new ServerRelay(bounds, clock, carried, () => {
    throw new Error('it ended')
  })
  const both = [new SlowSocket(), new SlowSocket()] as const
  for (const side of both) serverRelay.enter(side as unknown as WebSocket)
  for (const side of both) side.flow()
  return { serverRelay, clock, both }
}

it('TURN-11: pauses reading while many messages wait, however short', async () => {
  const [from, to] = sides()
  while (!from.isPaused) await from.says(Buffer.of(1))
  expect(to.waiting.length).toBeLessThan(100)
  to.flow()
  expect(from.isPaused).toBe(false)
})

it('forwards the messages of one read as one message', async () => {
  const [from, to] = sides()
  await from.says(...Array.from({ length: 10_000 }, () => Buffer.of(7)))
  expect(to.flow().map(String)).toEqual(['\u0007'.repeat(10_000)])
  await from.says(Buffer.alloc(50_000, 1), Buffer.alloc(50_000, 2))
  const sent = to.flow()
  expect(sent.map(({ length }) => length)).toEqual([maxServerRelayMessageBytes, 34_464])
  expect(Buffer.concat(sent).indexOf(2)).toBe(50_000)
})

it('TURN-11: keeps few pongs for a client that does not read', async () => {
  const [side, other] = sides()
  for (let count = 0; count < 10_000; count += 1) side.emit('ping', Buffer.alloc(0))
  expect(side.waiting.length).toBeLessThan(100)
  await other.says(Buffer.of(1))
  expect(other.isPaused).toBe(true)
  side.flow()
  expect(other.isPaused).toBe(false)
})

it('TURN-11: keeps no read buffer because of a waiting message or ping', async () => {
  const [from, to] = sides()
  const read = new Uint8Array(64 * 1024).buffer
  await from.says(Buffer.from(read, 0, 1))
  to.emit('ping', Buffer.from(read, 1, 1))
  expect(to.waiting).toHaveLength(2)
  for (const { data } of to.waiting) expect(data.buffer.byteLength).toBeLessThan(10_000)
})

it('forwards data from before its end, and reads the answers of both sides', async () => {
  const [from, to] = sides(MiB)
  await from.says(...Array.from({ length: 20 }, () => Buffer.alloc(60_000, 3)))
  expect([from.isClosed, to.isClosed, from.isPaused]).toEqual([true, true, false])
  expect(Buffer.concat(to.flow())).toHaveLength(17 * 60_000)
})

it('TURN-11: ends even if a client sends something from time to time', async () => {
  const { serverRelay, clock, both } = withServerRelay(rules)
  const [from, to] = both
  for (let second = 1; second < 100; second += 1) {
    clock.advance(1000)
    await from.says(Buffer.of(1))
    serverRelay.tick()
    expect(from.isClosed).toBe(false)
  }
  clock.advance(1000)
  await from.says(Buffer.of(1))
  serverRelay.tick()
  expect([from.isClosed, to.isClosed]).toEqual([true, true])
})
