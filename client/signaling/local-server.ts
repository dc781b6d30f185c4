/**
 * The embedded signaling server: one at a fixed port of this computer, shared by all windows and terminals. The first
 * program to find the port free starts it. When its owner ends, the next one to connect starts it again. While
 * something `visible` is hosted there, other computers on the local network may join.
 */
import { get } from 'node:http'
import { nearAddresses } from '#client/lan/interfaces'
import { scopeOfAddress } from '#client/signaling/address-scope'
import type { ServerAddress, ServerLocator } from '#client/signaling/server-locator'
import { type AppError, appError } from '#shared/errors'
import { err, ok, type Result } from '#shared/result'
import { decodeHealth } from '#shared/signaling/messages'
import { healthPath, signalingPath } from '#shared/signaling/paths'
import { WebPage } from '#signaling/pages/web-page'
import { type SignalingServer, startSignalingServer } from '#signaling/server'
import { maxGuests, type NetworkOptions } from '#signaling/socket/network-entrance'

/** No registered service uses this port. */
export const localServerPort = 41480

const host = '127.0.0.1'

/** A server on this computer answers within a millisecond, even if busy. */
const probeTimeoutMs = 2000

/** Limits the length of an answer, far above the usual. */
const maxAnswerLength = 1000

/**
 * Far more than one person needs, and far less than an internet server allows. Other accounts of this computer can
 * reach the port, too, and use this program's memory.
 */
export const localBounds = { maxWsConnections: 500, maxSessions: 200 } as const

/**
 * Pages receive at the speed of a local network. Each address may have an eighth of `webRelays`: as many as there are
 * guests, since one end of each is at this computer's address.
 */
export const pageBounds = {
  webRelays: 8 * maxGuests,
  webBytesPerSec: 1_000_000_000,
  webBytes: 1_099_511_627_775,
} as const

/**
 * Limits for one address of the local network. All IPv6 addresses of one network get four times as much, because a
 * computer may have any number of them. All guests together get `maxGuests` sockets.
 */
export const guestBounds = {
  maxWsConnectionsPerAddress: 12,
  wsConnectionsPerMin: 60,
  wsConnectionsBurst: 40,
  joinsPerMin: 30,
  joinsBurst: 30,
} as const

/** The real local network; tests replace it. */
const systemNetwork: NetworkOptions = {
  addresses: () => nearAddresses().map(({ address }) => address),
  isNear: (remote) => scopeOfAddress(remote.replace(/^::ffff:/, '')) === 'private',
}

/** If two programs start at the same time, one gets the port, and the other one then finds it. */
const maxTries = 3

/** The owner of the port; `unreachable` if this computer can't even reach itself. */
type Finding = 'ours' | 'nobody' | 'other' | 'unreachable'

/** Errors while the loopback interface is down, as in a new network namespace. */
const noLoopback: ReadonlySet<string> = new Set(['ENETUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL'])

/** Owns the server if this process started it. */
export class LocalServer implements ServerLocator {
  readonly url: string
  readonly port: number
  readonly #network: NetworkOptions
  /** The page that receives in a browser, if this program has one. */
  readonly page: WebPage | null
  #server: SignalingServer | null = null
  #locating: Promise<Result<ServerAddress, AppError>> | null = null
  #isClosed = false

  /** `folder` has the page that receives in a browser. */
  constructor(
    port = localServerPort,
    {
      network = systemNetwork,
      folder,
    }: { network?: NetworkOptions; folder?: string | undefined } = {},
  ) {
    this.port = port
    this.#network = network
    this.page = folder === undefined ? null : WebPage.in(folder)
    this.url = `ws://${host}:${port}${signalingPath}`
  }

  /** Errors: `E_SERVER_PROTOCOL` if another program holds the port, `E_SERVER_UNREACHABLE` without loopback. */
  locate(): Promise<Result<ServerAddress, AppError>> {
    this.#locating ??= this.#locate().finally(() => {
      this.#locating = null
    })
    return this.#locating
  }

  /** Ends the server if this process started it. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#locating
    await this.#server?.close()
    this.#server = null
  }

  async #locate(): Promise<Result<ServerAddress, AppError>> {
    const address = { url: this.url, embedded: true }
    let reason = ''
    for (let tries = 0; tries < maxTries; tries += 1) {
      const finding = await probe(this.port, host)
      if (finding === 'ours') return ok(address)
      if (finding === 'unreachable') {
        return err(appError('E_SERVER_UNREACHABLE', 'loopback is down', `${host}:${this.port}`))
      }
      if (finding === 'other') {
        reason = 'another program answers there'
        break
      }
      if (this.#isClosed) return err(appError('E_ENGINE_CLOSED'))
      const { port, page } = this
      const place = { host, port, trustLoopback: true, network: this.#network, page }
      const options = { ...localBounds, ...guestBounds, ...(page && pageBounds), ...place }
      const started = await startSignalingServer(options)
      if (started.ok) {
        this.#server = started.value
        return ok(address)
      }
      reason = started.error.detail
    }
    return err(appError('E_SERVER_PROTOCOL', reason, `${host}:${this.port}`))
  }
}

/** Identifies the program at the port of an address of this computer. */
export const probe = (port: number, host: string): Promise<Finding> =>
  new Promise((resolve) => {
    const signal = AbortSignal.timeout(probeTimeoutMs)
    const request = get({ host, port, path: healthPath, agent: false, signal }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (piece: string) => {
        text += piece
        if (text.length > maxAnswerLength) request.destroy()
      })
      response.on('end', () => resolve(decodeHealth(text).ok ? 'ours' : 'other'))
      response.on('error', () => resolve('other'))
    })
    request.on('error', ({ code = '' }: NodeJS.ErrnoException) => {
      // A reset may mean that a server is just ending; an attempt to bind shows whether the port is free.
      const isFree = code === 'ECONNREFUSED' || code === 'ECONNRESET'
      resolve(isFree ? 'nobody' : noLoopback.has(code) ? 'unreachable' : 'other')
    })
  })
