/** The connection to Redis: runs scripts by name, with time-outs and a limit of pending requests. */
import { Redis, type RedisOptions } from 'ioredis'
import type { Clock } from '#signaling/clock'
import type { ServerMetrics } from '#signaling/metrics/server-metrics'
import { type ScriptName, scripts } from '#signaling/redis/lua'
import { StoreError, type StoreErrorKind } from '#signaling/rooms/store-error'

/** The address of Redis and a node's time-outs for it, in ms. */
export type LinkOptions = {
  /** `redis://[USER:PASSWORD@]HOST[:PORT][/DATABASE]`, or `rediss:` for TLS. */
  readonly url: string
  readonly prefix: string
  /** Time for one response. */
  readonly answerMs: number
  /** Maximum pause before the next attempt to connect; it doubles from a tenth of this. */
  readonly retryMs: number
}

/** Maximum number of requests without a response: far more than a second's work of one node. */
const maxPending = 10_000

type Answer = string | number | null | readonly Answer[]

/** Classifies errors of Redis with a special meaning. */
const kindOf = (message: string): StoreErrorKind => {
  if (message.startsWith('OOM ')) return 'full'
  if (message === 'Command timed out') return 'slow'
  if (/^(?:LOADING|MASTERDOWN|READONLY|CLUSTERDOWN|NOREPLICAS|BUSY|UNBLOCKED) /.test(message)) {
    return 'unreachable'
  }
  return /^[A-Z]+ /.test(message) ? 'failed' : 'unreachable'
}

/** A node's link of two connections: one for requests, one that waits for entries from others. */
export class RedisLink {
  readonly #options: LinkOptions
  readonly #clock: Clock
  readonly #metrics: Pick<ServerMetrics, 'storeTime' | 'storeErrors'>
  readonly #asking: Redis
  readonly #waiting: Redis
  #pending = 0
  /** Consecutive time-outs. */
  #missed = 0
  /** Reason for the last failure to connect. */
  #whyNot = ''
  #onReady: () => void = () => undefined

  constructor(
    options: LinkOptions,
    clock: Clock,
    metrics: Pick<ServerMetrics, 'storeTime' | 'storeErrors'>,
  ) {
    this.#options = options
    this.#clock = clock
    this.#metrics = metrics
    const { answerMs, retryMs } = options
    const common: RedisOptions = {
      lazyConnect: true,
      // The command may have been executed; only the caller knows how to proceed.
      autoResendUnfulfilledCommands: false,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      connectTimeout: answerMs,
      keepAlive: 10_000,
      retryStrategy: (attempt) => Math.min(retryMs, (retryMs / 10) * 2 ** (attempt - 1)),
      // After a fail-over the old primary rejects writes; a new connection reaches the new one.
      reconnectOnError: (error) => /^(?:READONLY|MASTERDOWN) /.test(error.message),
    }
    this.#asking = new Redis(options.url, { ...common, commandTimeout: answerMs })
    this.#waiting = new Redis(options.url, common)
    for (const redis of [this.#asking, this.#waiting]) {
      redis.on('error', ({ message }: Error) => (this.#whyNot = message))
    }
    this.#asking.on('ready', () => this.#onReady())
    for (const [name, lua] of Object.entries(scripts)) {
      this.#asking.defineCommand(name, { lua, numberOfKeys: 1 })
    }
  }

  /** Starts to connect, and never stops trying; calls `onReady` after every success. */
  start(onReady: () => void): void {
    this.#onReady = onReady
    for (const redis of [this.#asking, this.#waiting]) redis.connect().catch(() => undefined)
  }

  /** Ends both connections. */
  close(): void {
    this.#asking.disconnect()
    this.#waiting.disconnect()
  }

  /** Runs a script. Rejects with a `StoreError`. */
  run(name: ScriptName, args: readonly (string | number)[]): Promise<readonly Answer[]> {
    const command = this.#asking as unknown as Readonly<
      Record<ScriptName, (...args: readonly (string | number)[]) => Promise<readonly Answer[]>>
    >
    return this.#timed(() => command[name](this.#options.prefix, ...args))
  }

  /** A field of a hash. Rejects with a `StoreError`. */
  field(hash: string, field: string): Promise<string | null> {
    return this.#timed(() => this.#asking.hget(this.#options.prefix + hash, field))
  }

  /** Several hashes in one request. Rejects with a `StoreError`. */
  hashes(...names: readonly string[]): Promise<readonly Readonly<Record<string, string>>[]> {
    return this.#timed(() =>
      Promise.all(names.map((name) => this.#asking.hgetall(this.#options.prefix + name))),
    )
  }

  /** The members of a sorted set up to the score `until`. Rejects with a `StoreError`. */
  due(set: string, until: number, most: number): Promise<readonly string[]> {
    return this.#timed(() =>
      this.#asking.zrangebyscore(this.#options.prefix + set, '-inf', until, 'LIMIT', 0, most),
    )
  }

  /**
   * Waits for the entries of a stream after `last`; empty after a while without any. Rejects when the
   * connection ends.
   */
  async entries(
    stream: string,
    last: string,
    most: number,
  ): Promise<readonly (readonly [string, readonly string[]])[]> {
    const { answerMs } = this.#options
    if (this.#waiting.status !== 'ready') await this.#waitingReady()
    const cancel = this.#clock.after(2 * answerMs, () => this.#waiting.disconnect(true))
    try {
      const answer = await this.#waiting.xread(
        ...([
          'COUNT',
          most,
          'BLOCK',
          answerMs,
          'STREAMS',
          this.#options.prefix + stream,
          last,
        ] as const),
      )
      return answer?.[0]?.[1] ?? []
    } finally {
      cancel()
    }
  }

  #waitingReady(): Promise<void> {
    const redis = this.#waiting
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        redis.off('ready', settle)
        redis.off('end', settle)
        if (redis.status === 'ready') resolve()
        else reject(new StoreError('unreachable'))
      }
      redis.once('ready', settle)
      redis.once('end', settle)
    })
  }

  async #timed<T>(ask: () => Promise<T>): Promise<T> {
    const begin = this.#clock.now()
    try {
      if (this.#pending >= maxPending) throw new StoreError('queue')
      this.#pending += 1
      try {
        const answer = await ask()
        this.#missed = 0
        return answer
      } finally {
        this.#pending -= 1
        this.#metrics.storeTime.observe((this.#clock.now() - begin) / 1000)
      }
    } catch (reason) {
      const error = reason instanceof StoreError ? reason : this.#errorOf(reason)
      this.#metrics.storeErrors.add(error.kind)
      this.#noteMissed(error)
      throw error
    }
  }

  #errorOf(reason: unknown): StoreError {
    const message = reason instanceof Error ? reason.message : String(reason)
    const kind = kindOf(message)
    const isOff = kind === 'unreachable' && this.#asking.status !== 'ready'
    return new StoreError(kind, isOff && this.#whyNot !== '' ? this.#whyNot : message)
  }

  /** Reconnects after several time-outs, because the connection may be dead. */
  #noteMissed({ kind }: StoreError): void {
    if (kind !== 'slow') return
    this.#missed += 1
    if (this.#missed % 3 === 0) this.#asking.disconnect(true)
  }
}
