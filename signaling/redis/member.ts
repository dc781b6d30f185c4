/**
 * One node among others: its name, its lease, and the box in which everything for its sockets comes, in
 * order. A name is taken once and never again; who lost it begins anew with another one and no sockets, so a
 * node that was cut off can do nothing by what it knew.
 */
import type { Clock } from '#signaling/clock'
import type { LinkOptions, RedisLink } from '#signaling/redis/link'
import { boxBounds } from '#signaling/redis/lua'
import type { Effect } from '#signaling/rooms/rooms'
import type { Node } from '#signaling/rooms/shared-state'
import { StoreError } from '#signaling/rooms/store-error'

/** Times of a node, ms. */
export type Timings = Omit<LinkOptions, 'url' | 'prefix'> & {
  /** How long a node that says nothing is taken to live. */
  readonly leaseMs: number
  /** How often it says that it lives. */
  readonly renewMs: number
  /** How long Redis keeps what nodes have in common when none is left. */
  readonly keepMs: number
}

/** A link that is silent for two seconds, and a node that is for ten, count as gone. */
export const usualTimings: Timings = {
  answerMs: 2000,
  retryMs: 1000,
  leaseMs: 10_000,
  renewMs: 2000,
  // A session of seven days, its rest of one, and one more.
  keepMs: 9 * 24 * 3600 * 1000,
}

/** Entries that are read at once. */
const batch = 256

/** Read so much of a box that is full, and the others are told: else what was read long ago would count as unread. */
const toldOf = { entries: boxBounds.entries / 8, bytes: boxBounds.bytes / 8 } as const

type Wait = { readonly seq: number; readonly done: () => void; readonly fail: () => void }

/** What a member asks of whom it belongs to. */
export type MemberEvents = {
  /** It has another name now, and no sockets. */
  readonly onRenamed: () => void
  /** These nodes are dead, and left something. */
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
  /** It is enrolled under `id`, as far as it knows. */
  #isIn = false
  #isClosed = false
  #isRenewing = false
  /** It lost its name while it renewed it. */
  #isLost = false
  /** What the log said last: that Redis is there, or that it is not. */
  #isSaidReady: boolean | null = null
  /** Since when every renewal succeeded, ms; `null` since the last that didn't. */
  #steadySince: number | null = null
  #last = 0
  #lastOp = ''
  #readBytes = 0
  /** What the others were told of that. */
  #told = { last: 0, bytes: 0 }
  #reader: Promise<void> = Promise.resolve()
  #waits: Wait[] = []
  #cancelRenewal: () => void = () => undefined
  /** Redis' time less ours, ms. */
  offset = 0
  /** How many nodes there are. */
  nodes = 0

  constructor(link: RedisLink, node: Node, timings: Timings, timers: Clock, events: MemberEvents) {
    this.#link = link
    this.#node = node
    this.#timings = timings
    this.#timers = timers
    this.#events = events
    this.#id = this.newName()
  }

  /** The name; sockets are named after it. */
  get id(): string {
    return this.#id
  }

  /** 64 random bits that nothing had before: a node, or one change. */
  newName(): string {
    return this.#node.random.bytes(8).toString('hex')
  }

  /** Resolves when this is a node, or after the time for an answer. */
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

  /** Goes for good; its sockets have ended before. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#cancelRenewal()
    if (this.#isIn) await this.#link.run('retire', [this.#id]).catch(() => undefined)
    this.#isIn = false
    this.#failWaits()
    this.#link.close()
    await this.#reader
  }

  /** Rejects unless this is a node. */
  mustBeIn(): void {
    if (!this.#isIn) throw new StoreError('unreachable')
  }

  /** Resolves when everything up to this entry was delivered. */
  delivered(seq: number): Promise<void> {
    if (seq <= this.#last) return Promise.resolve()
    return new Promise((resolve, reject) => {
      const cancel = this.#timers.after(2 * this.#timings.answerMs, () => end('slow'))
      const end = (trouble: 'slow' | 'evicted'): void => {
        this.#waits = this.#waits.filter((other) => other !== wait)
        cancel()
        reject(new StoreError(trouble))
      }
      const done = (): void => {
        cancel()
        resolve()
      }
      const wait: Wait = { seq, done, fail: () => end('evicted') }
      this.#waits.push(wait)
    })
  }

  /** The others took this node for dead: everything that it knew is void. */
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

  /** Says that this node lives; what it hears of others is dealt with. */
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
    // Who just came back from where Redis wasn't doesn't know who else was away.
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

  /** It has read so much that others might soon take its box for full. */
  get #hasUntold(): boolean {
    const { last, bytes } = this.#told
    return this.#last - last >= toldOf.entries || this.#readBytes - bytes >= toldOf.bytes
  }

  #isStill(id: string): boolean {
    return this.#isIn && this.#id === id
  }

  /** Reads the box of `id` for as long as that is this node. */
  async #read(id: string): Promise<void> {
    let isSure = true
    while (this.#isStill(id)) {
      try {
        // After a break this may be another Redis, which would say so.
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
        // Nothing is for who goes. A loop without a pause would leave no turn to what ends it.
        if (this.#isClosed) return
        isSure = false
        await this.pause(this.#timings.retryMs / 10)
      }
    }
  }

  /** Resolves after so long. */
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
