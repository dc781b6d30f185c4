/** Connections through a proxy, for a WebSocket with or without TLS. */
import { isIP, type Socket } from 'node:net'
import { connect as connectTls, type SecureContext } from 'node:tls'
import type { ClientOptions } from 'ws'
import type { Clock } from '#client/clock'
import { withTimeout } from '#client/with-timeout'
import { err, type Result } from '#shared/result'
import { type ProxyAddress, proxyName } from '#shared/settings/proxy-url'
import { httpConnect } from './http-connect'
import { hostPortOf } from './proxy-choice'
import { socks5Connect } from './socks5'
import type { TunnelFailure } from './tunnel-failure'

/** The reason why there is no tunnel, with the proxy's address but without user and password. */
export type ProxyError = TunnelFailure & { readonly subject: string }

/** The limit for opening a tunnel; less than a server's answer may take. */
const timeoutMs = 8000

/** Parameters of a tunnel for a WebSocket. */
export type TunnelOptions = {
  readonly proxy: ProxyAddress
  /** The server's URL, which begins with `ws:` or `wss:`. */
  readonly url: string
  readonly clock: Clock
  /** Trusted authorities for TLS with the server, and with an HTTPS proxy. */
  readonly trust: () => SecureContext
  readonly signal: AbortSignal
}

/** Opens a tunnel to the server. */
export async function openTunnel({
  proxy,
  url,
  clock,
  trust,
  signal,
}: TunnelOptions): Promise<Result<Socket, ProxyError>> {
  const attempt = new AbortController()
  const stop = (): void => attempt.abort()
  signal.addEventListener('abort', stop)
  const to = hostPortOf(url)
  const made =
    proxy.scheme === 'socks5'
      ? socks5Connect(proxy, to, attempt.signal)
      : httpConnect(proxy, to, attempt.signal, trust)
  const late = (): Result<Socket, TunnelFailure> => {
    attempt.abort()
    return err({ code: 'E_PROXY_UNREACHABLE', detail: 'no answer in time' })
  }
  const opened = await withTimeout(clock, timeoutMs, made, late)
  signal.removeEventListener('abort', stop)
  if (opened.ok) return opened
  return err({ ...opened.error, subject: proxyName(proxy) })
}

/**
 * The options of a WebSocket through a proxy. `onEnd` receives the error before the WebSocket's
 * `error`, or `null` on success.
 */
export function throughProxy(
  options: TunnelOptions,
  onEnd: (error: ProxyError | null) => void,
): Pick<ClientOptions, 'createConnection'> {
  const dial = (_: unknown, done: (reason: Error | null, socket?: Socket) => void): undefined => {
    void openTunnel(options).then((opened) => {
      onEnd(opened.ok ? null : opened.error)
      if (opened.ok) done(null, secured(opened.value, options))
      else done(new Error(opened.error.detail))
    })
    return undefined
  }
  // Node also accepts a later socket, which the option's type omits.
  return { createConnection: dial as unknown as NonNullable<ClientOptions['createConnection']> }
}

function secured(socket: Socket, { url, trust }: TunnelOptions): Socket {
  if (!url.startsWith('wss:')) return socket
  const { host } = hostPortOf(url)
  return connectTls({
    socket,
    host,
    servername: isIP(host) === 0 ? host : '',
    secureContext: trust(),
  })
}
