/**
 * One node among others: its name, its lease, and the box that receives all effects for its sockets, in
 * order. A name is used only once. A node that loses it starts over with a new name and no sockets, so it
 * can't act on outdated knowledge.
 */
import type { Clock } from '#signaling/clock'
import type { LinkOptions, RedisLink } from '#signaling/redis/link'
import { boxBounds } from '#signaling/redis/lua'
import type { Effect } from '#signaling/rooms/rooms'
import type { Node } from '#signaling/rooms/shared-state'
import { StoreError } from '#signaling/rooms/store-error'

/** Times of a node, ms. */
export type Timings = Omit<LinkOptions, 'url' | 'prefix'> & {
  /** Time after which a silent node counts as dead. */
  readonly leaseMs: number
  readonly renewMs: number
  /** Time for which Redis keeps the shared state when no node is left. */
  readonly keepMs: number
}

/** A link counts as dead after two silent seconds, and a node after ten. */
export const usualTimings: Timings = {
  answerMs: 2000,
  retryMs: 1000,
  leaseMs: 10_000,
  renewMs: 2000,
  // A session of seven days, its rest of one, and one more.
  keepMs: 9 * 24 * 3600 * 1000,
}

/** Entries read at a time. */
const batch = 256

/** Unreported reads that trigger an early renewal, before the other nodes consider the box full. */
const toldOf = { entries: boxBounds.entries / 8, bytes: boxBounds.bytes / 8 } as const

type Wait = { readonly seq: number; readonly done: () => void; readonly fail: () => void }

/** Callbacks to the member's owner. */
export type MemberEvents = {
  /** The node has a new name and no sockets. */
  readonly onRenamed: () => void
  /** These nodes are dead and left sockets behind. */
  readonly onDead: (nodes: readonly string[]) => void
}

/** This process as one of the nodes. */
export class Member {
  readonly #link: RedisLink
  readonly #node: Node
  readonly #timings: Timings
  readonly #timers: Clock
  readonly #events: MemberEvents
  #id: string
  /** True while it is enrolled under `id`, to its knowledge. */
  #isIn = false
  #isClosed = false
  #isRenewing = false
  /** True if it lost its name during a renewal. */
  #isLost = false
  /** The store's last logged state; `null` before the first. */
  #isSaidReady: boolean | null = null
  /** Start of uninterrupted successful renewals, ms; `null` after a failure. */
  #steadySince: number | null = null
  #last = 0
  #lastOp = ''
  #readBytes = 0
  /** The values of `#last` and `#readBytes` that were reported to the others. */
  #told = { last: 0, bytes: 0 }
  #reader: Promise<void> = Promise.resolve()
  #waits: Wait[] = []
  #cancelRenewal: () => void = () => undefined
  /** Redis' time minus ours, ms. */
  offset = 0
  nodes = 0

  constructor(link: RedisLink, node: Node, timings: Timings, timers: Clock, events: MemberEvents) {
    this.#link = link
    this.#node = node
    this.#timings = timings
    this.#timers = timers
    this.#events = events
    this.#id = this.newName()
  }

  /** The node's name; names of its sockets begin with it. */
  get id(): string {
    return this.#id
  }

  /** 64 random bits, unique for a node or a change. */
  newName(): string {
    return this.#node.random.bytes(8).toString('hex')
  }

  /** Resolves once this is a node, or after the time for a response. */
  start(): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#timers.after(this.#timings.answerMs, resolve)
      this.#link.start(() => {
        void this.#renew().then(() => {
          if (!this.#isIn) return
          cancel()
          resolve()
        })
      })
      this.#armRenewal()
    })
  }

  /** Leaves for good, after its sockets have ended. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#cancelRenewal()
    if (this.#isIn) await this.#link.run('retire', [this.#id]).catch(() => undefined)
    this.#isIn = false
    this.#failWaits()
    this.#link.close()
    await this.#reader
  }

  /** Throws unless this is a node. */
  mustBeIn(): void {
    if (!this.#isIn) throw new StoreError('unreachable')
  }

  /** Resolves once all entries up to this one have been delivered. */
  delivered(seq: number): Promise<void> {
    if (seq <= this.#last) return Promise.resolve()
    return new Promise((resolve, reject) => {
      const cancel = this.#timers.after(2 * this.#timings.answerMs, () => end('slow'))
      const end = (kind: 'slow' | 'evicted'): void => {
        this.#waits = this.#waits.filter((other) => other !== wait)
        cancel()
        reject(new StoreError(kind))
      }
      const done = (): void => {
        cancel()
        resolve()
      }
      const wait: Wait = { seq, done, fail: () => end('evicted') }
      this.#waits.push(wait)
    })
  }

  /** Discards everything after the other nodes declared this one dead. */
  lose(): void {
    if (!this.#isIn) return
    this.#isIn = false
    this.#id = this.newName()
    this.#steadySince = null
    this.#last = 0
    this.#lastOp = ''
    this.#readBytes = 0
    this.#told = { last: 0, bytes: 0 }
    this.#node.log({ event: 'evicted' })
    this.#failWaits()
    this.#events.onRenamed()
    if (this.#isRenewing) this.#isLost = true
    else void this.#renew()
  }

  #failWaits(): void {
    for (const { fail } of [...this.#waits]) fail()
  }

  #armRenewal(): void {
    this.#cancelRenewal = this.#timers.after(this.#timings.renewMs, () => {
      if (this.#isClosed) return
      this.#armRenewal()
      void this.#renew()
    })
  }

  /** Renews the lease and handles the reported state of the others. */
  async #renew(): Promise<void> {
    if (this.#isRenewing || this.#isClosed) return
    this.#isRenewing = true
    try {
      if (this.#isIn) await this.#prolong()
      else await this.#enroll()
      if (this.#isIn && this.#isSaidReady !== true) this.#node.log({ event: 'store-ready' })
      if (this.#isIn) this.#isSaidReady = true
    } catch (reason) {
      const { message } = reason as Error
      const isNew = this.#isSaidReady !== false && !this.#isClosed
      if (isNew) this.#node.log({ event: 'store-lost', why: message })
      this.#isSaidReady = false
      this.#steadySince = null
    } finally {
      this.#isRenewing = false
    }
    if (!this.#isLost) return
    this.#isLost = false
    void this.#renew()
  }

  async #enroll(): Promise<void> {
    const { leaseMs } = this.#timings
    const own = this.#node.passes.key.toString('base64')
    const begin = this.#timers.now()
    const id = this.#id
    const [now, key, nodes] = await this.#link.run('enroll', [id, leaseMs, own])
    if (this.#isClosed) return
    this.#node.passes.key = Buffer.from(String(key), 'base64')
    this.#isIn = true
    this.#noteTime(Number(now), begin, Number(nodes))
    this.#reader = this.#reader.then(() => this.#read(id))
  }

  async #prolong(): Promise<void> {
    const { leaseMs, keepMs } = this.#timings
    const begin = this.#timers.now()
    const id = this.#id
    // A node that was disconnected until now can't know which others were, too.
    const mayJudge = this.#steadySince !== null && begin - this.#steadySince >= leaseMs
    this.#told = { last: this.#last, bytes: this.#readBytes }
    const [state, now, nodes, dead] = await this.#link.run('renew', [
      ...[id, leaseMs, this.#last, this.#lastOp, this.#readBytes, mayJudge ? 1 : 0, keepMs],
    ])
    if (id !== this.#id) return
    if (state === 'evicted') {
      this.lose()
      return
    }
    this.#noteTime(Number(now), begin, Number(nodes))
    if (Array.isArray(dead) && dead.length > 0) this.#events.onDead(dead.map(String))
  }

  #noteTime(now: number, begin: number, nodes: number): void {
    const end = this.#timers.now()
    this.offset = now - (begin + end) / 2
    this.nodes = nodes
    this.#steadySince ??= end
  }

  /** True if it has read enough that others might soon consider its box full. */
  get #hasUntold(): boolean {
    const { last, bytes } = this.#told
    return this.#last - last >= toldOf.entries || this.#readBytes - bytes >= toldOf.bytes
  }

  #isStill(id: string): boolean {
    return this.#isIn && this.#id === id
  }

  /** Reads the box of `id` while this node has that name. */
  async #read(id: string): Promise<void> {
    let isSure = true
    while (this.#isStill(id)) {
      try {
        // After a break this may be another Redis, which the renewal detects.
        if (!isSure) await this.#prolong()
        isSure = true
        if (!this.#isStill(id)) return
        const entries = await this.#link.entries(`box:${id}`, `${this.#last}-0`, batch)
        for (const [at, [, op = '', , effects = '[]']] of entries) {
          if (!this.#isStill(id)) return
          this.#take(Number(at.split('-', 1)[0]), op, effects)
        }
        if (this.#hasUntold) void this.#renew()
      } catch {
        // A closing node needs no entries. Without the pause, this loop would block the event that closes it.
        if (this.#isClosed) return
        isSure = false
        await this.pause(this.#timings.retryMs / 10)
      }
    }
  }

  /** Resolves after `ms`. */
  pause(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#timers.after(ms, resolve))
  }

  #take(seq: number, op: string, text: string): void {
    if (seq !== this.#last + 1) {
      this.lose()
      return
    }
    this.#last = seq
    this.#lastOp = op
    this.#readBytes += text.length
    const effects = JSON.parse(text) as readonly Effect[]
    this.#node.deliver(effects)
    const done = this.#waits.filter((wait) => wait.seq <= seq)
    this.#waits = this.#waits.filter((wait) => wait.seq > seq)
    for (const wait of done) wait.done()
  }
}
