/** Public meeting points in memory, which obey NIP-01 as far as their operators do. */
import { createHash } from 'node:crypto'
import { schnorr } from '@noble/curves/secp256k1.js'
import type { Clock } from '#client/clock'
import { meetingKind, type NostrEvent } from '#client/meeting/nostr-event'
import type { OpenPoint, PointEvents } from '#client/meeting/point-socket'
import { appError } from '#shared/errors'

/** The ways in which a point can fail its clients. */
export type PointFaults = {
  /** Refuses connections, takes them and is silent, or takes events without delivering them. */
  kind: 'none' | 'refuses' | 'silent' | 'swallows'
  /** The reason with which it rejects events. */
  rejects: string | null
  /** The difference between its clock and the right one. */
  aheadMs: number
  /** Copies in which it delivers an event to a subscriber, and their delays. */
  deliver: (event: NostrEvent) => readonly number[]
}

type Subscriber = { readonly events: PointEvents; topics: readonly string[]; name: string }

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

class FakePoint {
  readonly faults: PointFaults = { kind: 'none', rejects: null, aheadMs: 0, deliver: () => [20] }
  readonly subscribers = new Set<Subscriber>()
  readonly taken: NostrEvent[] = []
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Handles a client's frame. */
  receive(from: Subscriber, text: string): void {
    const [type, first, filter] = JSON.parse(text) as [string, unknown, Record<string, string[]>]
    if (this.faults.kind === 'silent') return
    if (type === 'REQ') {
      Object.assign(from, { name: first, topics: filter['#x'] })
      this.tell(from, ['EOSE', first])
    } else if (type === 'EVENT') this.#take(from, first as NostrEvent)
  }

  tell({ events }: Subscriber, frame: readonly unknown[]): void {
    this.#clock.after(1, () => events.onText(JSON.stringify(frame)))
  }

  /** Delivers an event to those who wait for its topic, without looking at it. */
  publish(event: NostrEvent): void {
    const topic = event.tags.find(([name]) => name === 'x')?.[1] ?? ''
    for (const subscriber of [...this.subscribers]) {
      if (!subscriber.topics.includes(topic)) continue
      for (const delayMs of this.faults.deliver(event)) {
        this.#clock.after(delayMs, () => {
          if (!this.subscribers.has(subscriber)) return
          subscriber.events.onText(JSON.stringify(['EVENT', subscriber.name, event]))
        })
      }
    }
  }

  #take(from: Subscriber, event: NostrEvent): void {
    const why = this.faults.rejects ?? this.#flaw(event)
    this.tell(from, ['OK', event.id, why === null, why ?? ''])
    if (why !== null) return
    this.taken.push(event)
    if (this.faults.kind !== 'swallows') this.publish(event)
  }

  #flaw({ id, pubkey, created_at: createdS, kind, tags, content, sig }: NostrEvent): string | null {
    const parts = JSON.stringify([0, pubkey, createdS, kind, tags, content])
    if (id !== hex(createHash('sha256').update(parts).digest())) return 'invalid: id'
    const isSigned = schnorr.verify(
      Buffer.from(sig, 'hex'),
      Buffer.from(id, 'hex'),
      Buffer.from(pubkey, 'hex'),
    )
    if (!isSigned || kind !== meetingKind) return 'invalid: signature'
    const ageS = (this.#clock.now() + this.faults.aheadMs) / 1000 - createdS
    if (ageS > 60 || ageS < -900) return 'invalid: created_at'
    return this.taken.some((earlier) => earlier.id === id) ? 'duplicate: known' : null
  }
}

/** Points by their addresses; any address leads to one. */
export class FakePoints {
  readonly #clock: Clock
  readonly #points = new Map<string, FakePoint>()
  /** Addresses to which sockets were opened. */
  readonly opened: string[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  at(url: string): FakePoint {
    const point = this.#points.get(url) ?? new FakePoint(this.#clock)
    this.#points.set(url, point)
    return point
  }

  /** The number of events that all points have taken. */
  get events(): number {
    return [...this.#points.values()].reduce((sum, { taken }) => sum + taken.length, 0)
  }

  readonly open: OpenPoint = (url, events) => {
    this.opened.push(url)
    const point = this.at(url)
    const { kind, aheadMs } = point.faults
    const subscriber: Subscriber = { events, topics: [], name: '' }
    const cancel = this.#clock.after(10, () => {
      if (kind === 'refuses') events.onClosed(appError('E_SERVER_UNREACHABLE', 'ECONNREFUSED'))
      else {
        point.subscribers.add(subscriber)
        events.onOpen(this.#clock.now() + aheadMs)
      }
    })
    return {
      send: (text) => void this.#clock.after(10, () => point.receive(subscriber, text)),
      ping: () => {
        if (kind !== 'silent') this.#clock.after(10, () => events.onPong())
      },
      close: () => {
        cancel()
        point.subscribers.delete(subscriber)
      },
    }
  }
}
