/** Tests a server that is not in use yet: one socket up to its welcome, and one request to each STUN server. */
import type { SecureContext } from 'node:tls'
import { WebSocket } from 'ws'
import { type Clock, systemClock } from '#client/clock'
import { direct, type ProxyFor } from '#client/proxy/proxy-choice'
import { throughProxy } from '#client/proxy/tunnel'
import { askStun } from '#client/signaling/answering-stun'
import { type Lookup, parseIceConfig, resolved, systemLookup } from '#client/signaling/ice-servers'
import { isInsecure, remoteOf } from '#client/signaling/server-locator'
import { passwordHeaders } from '#client/signaling/server-password'
import { isUntrusted, serverTrust } from '#client/signaling/trusted-authorities'
import { withTimeout } from '#client/with-timeout'
import { type AppError, appError } from '#shared/errors'
import { limits } from '#shared/limits'
import { err, ok, type Result } from '#shared/result'
import { type ProxyAddress, proxyName } from '#shared/settings/proxy-url'
import type { ProxyFailure, ServerCheck } from '#shared/settings/server-check'
import type { ServerProfile } from '#shared/settings/settings'
import { decodeServerMessage, frameLimits } from '#shared/signaling/messages'
import { parseServerUrl } from '#shared/signaling/server-url'

/** Limits the check, which a person is watching; a slower server is not reliable. */
const usualTimeoutMs = 8000

/** A server answers immediately after its welcome; slower answers are not awaited. */
const roundTripTimeoutMs = 1500

/** The delay before a datagram is repeated, and the limit for an answer. */
const stunAgainMs = 1000
const stunTimeoutMs = 3000

/** Dependencies of a check; tests replace them. */
type Seams = {
  /** Chooses proxies for servers; none by default. */
  readonly proxyFor?: ProxyFor
  readonly clock?: Clock
  /** The time limit of a check; 8 s by default. */
  readonly timeoutMs?: number
  readonly lookUp?: Lookup
  readonly trust?: () => SecureContext
}

type Finding = Omit<ServerCheck, 'proxy' | 'stun'>

/**
 * Makes a function that checks one server at a time. Errors: `E_BAD_ARGUMENT` for invalid lines or an invalid proxy,
 * `E_LIMIT_EXCEEDED` while a check is running.
 */
export function serverChecker({
  clock = systemClock,
  lookUp = systemLookup,
  trust = serverTrust,
  proxyFor = direct,
  timeoutMs = usualTimeoutMs,
}: Seams = {}) {
  let isRunning = false
  return async ({
    url,
    stun,
    password,
  }: Pick<ServerProfile, 'url' | 'stun' | 'password'>): Promise<Result<ServerCheck, AppError>> => {
    const address = parseServerUrl(url)
    if (!address.ok) return address
    const ice = parseIceConfig({ stun, turn: [] })
    if (!ice.ok) return ice
    if (isRunning) return err(appError('E_LIMIT_EXCEEDED', 'one check at a time'))
    isRunning = true
    const proxy = await proxyFor(address.value)
    if (!proxy.ok) {
      isRunning = false
      return proxy
    }
    const [finding, answers] = await Promise.all([
      greet(address.value, { proxy: proxy.value, password }, { clock, trust, timeoutMs }),
      Promise.all(
        ice.value.stun.map((server) => answersStun(server, { clock, lookUp, timeoutMs })),
      ),
    ])
    isRunning = false
    return ok({
      ...finding,
      stun: stun.map((line, index) => ({ line, answers: answers[index] === true })),
    })
  }
}

type ServerAccess = { readonly proxy: ProxyAddress | null; readonly password: string | undefined }

async function greet(
  url: string,
  { proxy, password }: ServerAccess,
  { clock, trust, timeoutMs }: Required<Pick<Seams, 'clock' | 'trust' | 'timeoutMs'>>,
): Promise<Omit<ServerCheck, 'stun'>> {
  const attempt = new AbortController()
  const { signal } = attempt
  /** Cleared by the proxy's first response. */
  let failure: ProxyFailure | null = 'E_PROXY_UNREACHABLE'
  let ofProxy: Finding | null = null
  const socket = new WebSocket(url, {
    ...frameLimits,
    maxPayload: limits.signalingFrameBytes,
    perMessageDeflate: false,
    followRedirects: false,
    headers: passwordHeaders(password),
    ...(url.startsWith('wss:') && { secureContext: trust() }),
    ...(proxy !== null &&
      throughProxy({ proxy, url, clock, trust, signal }, (error) => {
        failure = error?.code ?? null
        if (error !== null) ofProxy = { server: 'unreachable', detail: error.detail }
      })),
  })
  let isUpgraded = false
  let isPlain = false
  let clockAhead: Pick<Finding, 'clockAheadMs'> = {}
  const found = new Promise<Finding>((resolve) => {
    const find = (server: Finding['server'], detail = ''): void =>
      resolve({ server, detail, ...clockAhead })
    socket.on('upgrade', ({ headers, socket: { remoteAddress } }) => {
      isUpgraded = true
      clockAhead = aheadOf(headers.date, clock.now())
      isPlain = isInsecure(url, remoteOf(url, { proxy: proxy ?? undefined, remoteAddress }))
    })
    socket.on('message', (data, isBinary) => {
      const message =
        isBinary || !Buffer.isBuffer(data) ? null : decodeServerMessage(data.toString())
      if (message?.ok !== true || message.value.t !== 'welcome') find('other', 'no welcome')
      else {
        const begun = clock.now()
        const { congestion } = message.value.web ?? {}
        const welcomed = {
          ...({ server: isPlain ? 'insecure' : 'ready', detail: '' } as const),
          ...clockAhead,
          ...(congestion !== undefined && { congestion }),
        }
        const cancel = clock.after(roundTripTimeoutMs, () => resolve(welcomed))
        socket.once('pong', () => {
          cancel()
          resolve({ ...welcomed, roundTripMs: clock.now() - begun })
        })
        socket.ping()
      }
    })
    socket.on('unexpected-response', (_request, { statusCode = 0 }) => {
      const isBusy = statusCode >= 500 || statusCode === 429
      const kind = statusCode === 401 ? 'password' : isBusy ? 'unreachable' : 'other'
      find(kind, `HTTP status ${statusCode}`)
    })
    socket.on('error', (reason: NodeJS.ErrnoException) => {
      const { code = '', message } = reason
      resolve(ofProxy ?? { server: kindOf(code, isUpgraded), detail: message })
    })
    socket.on('close', () => find(isUpgraded ? 'other' : 'unreachable', 'closed'))
  })
  const finding = await withTimeout(clock, timeoutMs, found, (): Finding => ({
    server: isUpgraded ? 'other' : 'unreachable',
    detail: 'no answer in time',
  }))
  attempt.abort()
  socket.terminate()
  return { ...finding, proxy: proxy === null ? null : { name: proxyName(proxy), failure } }
}

/** The header drops half a second on average, because it has whole seconds. */
function aheadOf(date: string | undefined, now: number): Pick<Finding, 'clockAheadMs'> {
  const named = Date.parse(date ?? '')
  return Number.isNaN(named) ? {} : { clockAheadMs: now - named - 500 }
}

/** Classifies a connection error; `HPE_` and `WS_` are codes for data that is not HTTP or not a WebSocket. */
function kindOf(code: string, isUpgraded: boolean): Finding['server'] {
  if (isUntrusted(code)) return 'untrusted'
  return isUpgraded || /^(?:HPE|WS)_/.test(code) ? 'other' : 'unreachable'
}

async function answersStun(
  server: { readonly host: string; readonly port: number },
  { clock, lookUp, timeoutMs }: Required<Pick<Seams, 'clock' | 'lookUp' | 'timeoutMs'>>,
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
    const isThere = await withTimeout(clock, stunTimeoutMs, answered, () => false)
    for (const close of closes) close()
    return isThere
  }
  return withTimeout(clock, timeoutMs, ask(), () => false)
}
