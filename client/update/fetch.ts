/** One GET to an update feed: bounded in redirects, time and bytes, and never over plain http. */
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { Clock } from '#client/clock'
import { mayFetch } from '#client/update/feed'
import { err, ok, type Result } from '#shared/result'
import { updateLimits } from '#shared/update/manifest'
import { type UpdateError, updateError } from '#shared/update/update-error'

/** A server that says nothing for so long has gone. */
const silenceMs = 30_000
/** A body that comes slower than this is given up, and resumed another time. */
const leastBytes = 64 * 1024
const paceMs = 60_000

/** The bounds of one GET, and who takes what it brings. */
export type FetchOptions = {
  readonly clock: Clock
  /** Ends the request. */
  readonly signal: AbortSignal
  readonly headers?: Readonly<Record<string, string>>
  /** All of it, redirects included, takes no longer. */
  readonly totalMs?: number
  /** Where the body goes, once the status is known. Error: the body is not wanted. */
  readonly onHead: (response: Head) => Promise<Result<BodySink, UpdateError>>
}

/** What an answer says before its body. */
export type Head = Pick<IncomingMessage, 'headers'> & { readonly status: number }

/** Takes the body part by part; what it throws ends the request and is thrown again. */
export type BodySink = {
  /** More bytes than this end the request. */
  readonly mostBytes: number
  readonly write: (part: Buffer) => Promise<void> | void
}

/**
 * Fetches what is at `address`. Errors: `E_UPDATE_UNREACHABLE` before the body, `E_UPDATE_INTERRUPTED` in
 * it, `E_UPDATE_DAMAGED` for a body that is too long, and those of `onHead`.
 */
export async function fetchFrom(
  address: URL,
  options: FetchOptions,
): Promise<Result<null, UpdateError>> {
  const stop = new AbortController()
  const timers = new Timers(options.clock, (why) => {
    reason = why
    stop.abort()
  })
  let reason = 'the connection broke off'
  const onAbort = (): void => {
    stop.abort()
  }
  options.signal.addEventListener('abort', onAbort)
  if (options.signal.aborted) stop.abort()
  if (options.totalMs !== undefined) timers.end(options.totalMs)
  try {
    const answered = await follow(address, options, stop.signal, timers)
    if (!answered.ok) return answered
    const response = answered.value
    const sink = await options.onHead({
      headers: response.headers,
      status: response.statusCode ?? 0,
    })
    if (!sink.ok) {
      response.destroy()
      return sink
    }
    return await readBody(response, sink.value, timers, () => reason)
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error
    return err(updateError('E_UPDATE_UNREACHABLE', stop.signal.aborted ? reason : error.message))
  } finally {
    timers.clear()
    options.signal.removeEventListener('abort', onAbort)
    stop.abort()
  }
}

class Unreachable extends Error {}

/** The first answer that is no redirect. */
async function follow(
  address: URL,
  { headers = {} }: FetchOptions,
  signal: AbortSignal,
  timers: Timers,
): Promise<Result<IncomingMessage, UpdateError>> {
  let url = address
  for (let redirects = 0; redirects <= updateLimits.redirects; redirects += 1) {
    timers.noise()
    const response = await answerOf(url, headers, signal)
    const { statusCode = 0, headers: answered } = response
    if (statusCode < 300 || statusCode >= 400 || answered.location === undefined)
      return ok(response)
    response.destroy()
    const next = locationOf(answered.location, url)
    if (next === null || !mayFetch(next, address)) {
      return err(updateError('E_UPDATE_UNREACHABLE', 'a redirect that leads to no https address'))
    }
    url = next
  }
  return err(updateError('E_UPDATE_UNREACHABLE', 'too many redirects'))
}

function locationOf(location: string, from: URL): URL | null {
  try {
    return new URL(location, from)
  } catch {
    return null
  }
}

function answerOf(
  url: URL,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const start = url.protocol === 'https:' ? requestHttps : requestHttp
    const options = { headers: { 'accept-encoding': 'identity', ...headers }, signal, agent: false }
    const asked: ClientRequest = start(url, options, (response) => {
      // Whoever reads the body hears of its errors; nobody may be there yet.
      response.on('error', () => undefined)
      resolve(response)
    })
    asked.on('error', (error) => {
      reject(new Unreachable(error.message))
    })
    // An answer that changes the protocol comes to nobody, and not as an error either.
    asked.on('close', () => {
      reject(new Unreachable('no answer'))
    })
    asked.end()
  })
}

async function readBody(
  response: IncomingMessage,
  sink: BodySink,
  timers: Timers,
  reason: () => string,
): Promise<Result<null, UpdateError>> {
  let bytes = 0
  timers.pace(() => bytes)
  const parts = (response as AsyncIterable<Buffer>)[Symbol.asyncIterator]()
  for (;;) {
    const part = await parts.next().catch(() => null)
    if (part === null) return err(updateError('E_UPDATE_INTERRUPTED', reason()))
    if (part.done === true) break
    timers.noise()
    bytes += part.value.length
    if (bytes > sink.mostBytes) return err(updateError('E_UPDATE_DAMAGED', 'longer than it may be'))
    await sink.write(part.value)
  }
  return response.complete ? ok(null) : err(updateError('E_UPDATE_INTERRUPTED', reason()))
}

/** The three bounds on time, of which the first that is met ends the request. */
class Timers {
  readonly #clock: Clock
  readonly #stop: (why: string) => void
  #silence: () => void = () => undefined
  #pace: () => void = () => undefined
  #end: () => void = () => undefined

  constructor(clock: Clock, stop: (why: string) => void) {
    this.#clock = clock
    this.#stop = stop
  }

  end(totalMs: number): void {
    this.#end = this.#clock.after(totalMs, () => {
      this.#stop('it took too long')
    })
  }

  /** Something was heard or asked. */
  noise(): void {
    this.#silence()
    this.#silence = this.#clock.after(silenceMs, () => {
      this.#stop('no answer')
    })
  }

  pace(bytes: () => number): void {
    const before = bytes()
    this.#pace = this.#clock.after(paceMs, () => {
      if (bytes() - before < leastBytes) this.#stop('it came too slowly')
      else this.pace(bytes)
    })
  }

  clear(): void {
    for (const cancel of [this.#silence, this.#pace, this.#end]) cancel()
  }
}

/** Fetches a document of a feed; `null` when the feed has none. Takes 30 s and 64 KiB at most. */
export async function fetchDocument(
  address: URL,
  options: Pick<FetchOptions, 'clock' | 'signal'>,
): Promise<Result<unknown, UpdateError>> {
  const parts: Buffer[] = []
  let found = 0
  const fetched = await fetchFrom(address, {
    ...options,
    totalMs: silenceMs,
    onHead: ({ status }) => {
      found = status
      const write = (part: Buffer): void => {
        parts.push(part)
      }
      return Promise.resolve(
        status === 200 || status === 404
          ? ok({ mostBytes: updateLimits.envelopeBytes, write })
          : err(updateError('E_UPDATE_UNREACHABLE', `status ${status}`)),
      )
    },
  })
  if (!fetched.ok) {
    const isCut = fetched.error.code === 'E_UPDATE_INTERRUPTED'
    return isCut ? err(updateError('E_UPDATE_UNREACHABLE', fetched.error.detail)) : fetched
  }
  if (found === 404) return ok(null)
  try {
    return ok(JSON.parse(Buffer.concat(parts).toString('utf8')) as unknown)
  } catch {
    return err(updateError('E_UPDATE_UNTRUSTED', 'no JSON'))
  }
}
