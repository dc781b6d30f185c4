/** Tries a server that nobody uses yet: one socket up to its welcome, and one request to each STUN server. */
import type { SecureContext } from 'node:tls'
import { WebSocket } from 'ws'
import { type Clock, systemClock } from '#client/clock'
import { direct, type ProxyFor } from '#client/proxy/proxy-choice'
import { throughProxy } from '#client/proxy/tunnel'
import { askStun } from '#client/signaling/answering-stun'
import { type Lookup, parseIceConfig, resolved, systemLookup } from '#client/signaling/ice-servers'
import { isInsecure, remoteOf } from '#client/signaling/server-locator'
import { serverTrust } from '#client/signaling/trusted-authorities'
import { within } from '#client/within'
import { type AppError, appError } from '#shared/errors'
import { limits } from '#shared/limits'
import type { ProxyAddress } from '#shared/proxy-url'
import { err, ok, type Result } from '#shared/result'
import type { ServerCheck } from '#shared/server-check'
import { parseServerUrl } from '#shared/server-url'
import type { ServerProfile } from '#shared/settings'
import { decodeServerMessage, frameLimits } from '#shared/signaling'

/** A person looks on; a server that needs longer is none to rely on. */
const timeoutMs = 8000

/** When a datagram that may have got lost is sent again, and when an answer would have come. */
const stunAgainMs = 1000
const stunTimeoutMs = 3000

/** What a check goes through, and what a test replaces. */
type Seams = {
  /** Those that are used for servers; none unless given. */
  readonly proxyFor?: ProxyFor
  readonly clock?: Clock
  readonly lookUp?: Lookup
  readonly trust?: () => SecureContext
}

/** What was found, without the STUN servers. */
type Finding = Omit<ServerCheck, 'stun'>

/**
 * A way to check one server after the other. Errors: `E_BAD_ARGUMENT` for lines and a proxy that make no
 * sense, `E_LIMIT_EXCEEDED` while a check runs.
 */
export function serverChecker({
  clock = systemClock,
  lookUp = systemLookup,
  trust = serverTrust,
  proxyFor = direct,
}: Seams = {}) {
  let isRunning = false
  return async ({
    url,
    stun,
  }: Pick<ServerProfile, 'url' | 'stun'>): Promise<Result<ServerCheck, AppError>> => {
    const address = parseServerUrl(url)
    if (!address.ok) return address
    const ice = parseIceConfig({ stun, turn: [], relayOnly: false })
    if (!ice.ok) return ice
    if (isRunning) return err(appError('E_LIMIT_EXCEEDED', 'one check at a time'))
    isRunning = true
    const proxy = await proxyFor(address.value)
    if (!proxy.ok) {
      isRunning = false
      return proxy
    }
    const [finding, answers] = await Promise.all([
      greet(address.value, proxy.value ?? undefined, clock, trust),
      Promise.all(ice.value.stun.map((server) => answersStun(server, clock, lookUp))),
    ])
    isRunning = false
    return ok({
      ...finding,
      stun: stun.map((line, index) => ({ line, answers: answers[index] === true })),
    })
  }
}

async function greet(
  url: string,
  proxy: ProxyAddress | undefined,
  clock: Clock,
  trust: () => SecureContext,
): Promise<Finding> {
  const attempt = new AbortController()
  const { signal } = attempt
  let ofProxy: Finding | null = null
  const socket = new WebSocket(url, {
    ...frameLimits,
    maxPayload: limits.signalingFrameBytes,
    perMessageDeflate: false,
    followRedirects: false,
    ...(url.startsWith('wss:') && { secureContext: trust() }),
    ...(proxy !== undefined &&
      throughProxy({ proxy, url, clock, trust, signal }, ({ subject = '', detail }) => {
        ofProxy = { server: 'proxy', detail: `${subject}: ${detail}` }
      })),
  })
  let isUpgraded = false
  let isPlain = false
  const found = new Promise<Finding>((resolve) => {
    const find = (server: Finding['server'], detail = ''): void => resolve({ server, detail })
    socket.on('upgrade', ({ socket: { remoteAddress } }) => {
      isUpgraded = true
      isPlain = isInsecure(url, remoteOf(url, { proxy, remoteAddress }))
    })
    socket.on('message', (data, isBinary) => {
      const message =
        isBinary || !Buffer.isBuffer(data) ? null : decodeServerMessage(data.toString())
      if (message?.ok !== true || message.value.t !== 'welcome') find('other', 'no welcome')
      else find(isPlain ? 'insecure' : 'ready')
    })
    socket.on('unexpected-response', (_request, { statusCode = 0 }) => {
      const isBusy = statusCode >= 500 || statusCode === 429
      find(isBusy ? 'unreachable' : 'other', `HTTP status ${statusCode}`)
    })
    socket.on('error', (reason: NodeJS.ErrnoException) => {
      const { code = '', message } = reason
      resolve(ofProxy ?? { server: kindOf(code, isUpgraded), detail: message })
    })
    socket.on('close', () => find(isUpgraded ? 'other' : 'unreachable', 'closed'))
  })
  const finding = await within(clock, timeoutMs, found, (): Finding => ({
    server: isUpgraded ? 'other' : 'unreachable',
    detail: 'no answer in time',
  }))
  attempt.abort()
  socket.terminate()
  return finding
}

/** What an error of the connection means; `HPE_` and `WS_` are codes of what is no HTTP, or no WebSocket. */
function kindOf(code: string, isUpgraded: boolean): Finding['server'] {
  if (/CERT|^ERR_TLS|^ERR_SSL|^UNABLE_TO|^EPROTO$/.test(code)) return 'untrusted'
  return isUpgraded || /^(?:HPE|WS)_/.test(code) ? 'other' : 'unreachable'
}

async function answersStun(
  server: { readonly host: string; readonly port: number },
  clock: Clock,
  lookUp: Lookup,
): Promise<boolean> {
  const ask = async (): Promise<boolean> => {
    const place = await resolved(server, lookUp, clock)
    if (!place.ok) return false
    const closes: (() => void)[] = []
    const answered = new Promise<boolean>((resolve) => {
      const request = (): void => void closes.push(askStun(place.value, () => resolve(true)))
      request()
      closes.push(clock.after(stunAgainMs, request))
    })
    const isThere = await within(clock, stunTimeoutMs, answered, () => false)
    for (const close of closes) close()
    return isThere
  }
  return within(clock, timeoutMs, ask(), () => false)
}
