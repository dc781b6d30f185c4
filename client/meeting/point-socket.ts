/** A WebSocket to one public meeting point. */
import type { SecureContext } from 'node:tls'
import { WebSocket } from 'ws'
import type { Clock } from '#client/clock'
import { maxPointFrame } from '#client/meeting/nostr-event'
import type { ProxyFor } from '#client/proxy/proxy-choice'
import { throughProxy } from '#client/proxy/tunnel'
import { isUntrusted, serverTrust } from '#client/signaling/trusted-authorities'
import { type AppError, appError } from '#shared/errors'
import { frameLimits } from '#shared/signaling/messages'
import { serverName } from '#shared/signaling/server-url'

/** Callbacks of a socket; none is called after its `close`. */
export type PointEvents = {
  /** `dateMs`: the time by the other side's clock, if it named one. */
  readonly onOpen: (dateMs: number | null) => void
  readonly onText: (text: string) => void
  /** The other side has answered a ping. */
  readonly onPong: () => void
  readonly onClosed: (error: AppError) => void
}

export type PointSocket = {
  readonly send: (text: string) => void
  readonly ping: () => void
  readonly close: () => void
}

/** Opens a socket to a meeting point; tests replace it. */
export type OpenPoint = (url: string, events: PointEvents) => PointSocket

/** Limits unsent bytes to a relay that doesn't read. */
const maxBufferedBytes = 256 * 1024

/** Limits a relay's answer to our farewell. */
const farewellMs = 1000

/** Opens sockets with the proxies and authorities of signaling servers. */
export const pointOpener =
  (proxyFor: ProxyFor, clock: Clock, trust: () => SecureContext = serverTrust): OpenPoint =>
  (url, events) => {
    const attempt = new AbortController()
    let socket: WebSocket | null = null
    let failure: AppError | null = null
    const name = serverName(url)
    const close = (error: AppError): void => {
      if (attempt.signal.aborted) return
      attempt.abort()
      socket?.terminate()
      events.onClosed(error)
    }
    const open = async (): Promise<void> => {
      const found = await proxyFor(url)
      if (attempt.signal.aborted) return
      if (!found.ok) {
        close(found.error)
        return
      }
      const proxy = found.value
      const { signal } = attempt
      const opened = new WebSocket(url, {
        ...frameLimits,
        maxPayload: maxPointFrame,
        perMessageDeflate: false,
        followRedirects: false,
        // Lets an operator recognize us.
        headers: { 'user-agent': 'Thruflux' },
        ...(url.startsWith('wss:') && { secureContext: trust() }),
        ...(proxy !== null &&
          throughProxy({ proxy, url, clock, trust, signal }, (error) => {
            failure ??= error
          })),
      })
      socket = opened
      let dateMs: number | null = null
      opened.on('upgrade', ({ headers }) => {
        const named = Date.parse(headers.date ?? '')
        dateMs = Number.isNaN(named) ? null : named
      })
      opened.on('open', () => {
        if (!signal.aborted) events.onOpen(dateMs)
      })
      opened.on('message', (data, isBinary) => {
        if (signal.aborted) return
        if (isBinary || !Buffer.isBuffer(data))
          close(appError('E_SERVER_PROTOCOL', 'not text', name))
        else events.onText(data.toString())
      })
      opened.on('pong', () => {
        if (!signal.aborted) events.onPong()
      })
      opened.on('ping', () => {
        if (opened.bufferedAmount > maxBufferedBytes) opened.terminate()
      })
      opened.on('unexpected-response', (_request, { statusCode = 0 }) =>
        close(appError('E_SERVER_UNREACHABLE', `HTTP status ${statusCode}`, name)),
      )
      opened.on('error', ({ code, message }: NodeJS.ErrnoException) => {
        failure ??= appError(
          isUntrusted(code) ? 'E_SERVER_IDENTITY' : 'E_SERVER_UNREACHABLE',
          message === '' ? (code ?? '') : message,
          name,
        )
      })
      opened.on('close', () => close(failure ?? appError('E_SERVER_UNREACHABLE', 'closed', name)))
    }
    void open()
    return {
      send: (text) => {
        if (socket?.readyState !== WebSocket.OPEN) return
        if (socket.bufferedAmount > maxBufferedBytes) socket.terminate()
        else socket.send(text)
      },
      ping: () => {
        if (socket?.readyState === WebSocket.OPEN) socket.ping()
      },
      close: () => {
        if (attempt.signal.aborted) return
        attempt.abort()
        const closing = socket
        if (closing?.readyState !== WebSocket.OPEN) {
          closing?.terminate()
          return
        }
        const cancel = clock.after(farewellMs, () => closing.terminate())
        closing.once('close', cancel)
        closing.close()
      },
    }
  }
