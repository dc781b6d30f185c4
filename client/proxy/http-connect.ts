/** A tunnel through an HTTP proxy: CONNECT (RFC 9110, section 9.3.6). */
import * as http from 'node:http'
import * as https from 'node:https'
import { isIP, isIPv6, type Socket } from 'node:net'
import type { SecureContext } from 'node:tls'
import { err, ok, type Result } from '#shared/result'
import type { ProxyAddress } from '#shared/settings/proxy-url'
import type { HostPort } from './proxy-choice'
import type { TunnelFailure } from './tunnel-failure'

/** The limit for the proxy's answer up to the empty line, in bytes. */
const maxHeaderBytes = 16 * 1024

/**
 * Authenticates a proxy by its own name or address; without a name, Node would use the target in
 * the header. Node passes all options on to TLS, but the type omits that.
 */
const withTls = (
  options: http.RequestOptions,
  host: string,
  secureContext: SecureContext,
): https.RequestOptions & { readonly secureContext: SecureContext } => ({
  ...options,
  servername: isIP(host) === 0 ? host : '',
  secureContext,
})

/** `signal` aborts the attempt. Errors: the reason for the failure, never with the password. */
export function httpConnect(
  { scheme, host, port, user, password }: ProxyAddress,
  to: HostPort,
  signal: AbortSignal,
  trust: () => SecureContext,
): Promise<Result<Socket, TunnelFailure>> {
  const authority = `${isIPv6(to.host) ? `[${to.host}]` : to.host}:${to.port}`
  const basic = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  const options: http.RequestOptions = {
    method: 'CONNECT',
    host,
    port,
    path: authority,
    agent: false,
    signal,
    maxHeaderSize: maxHeaderBytes,
    headers: { Host: authority, ...(user !== '' && { 'Proxy-Authorization': basic }) },
  }
  return new Promise((resolve) => {
    const request =
      scheme === 'https' ? https.request(withTls(options, host, trust())) : http.request(options)
    request.on('error', (reason: NodeJS.ErrnoException) =>
      resolve(err({ code: 'E_PROXY_UNREACHABLE', detail: reason.code ?? reason.message })),
    )
    request.on('connect', ({ statusCode = 0 }, socket: Socket, head) => {
      const isOpen = statusCode >= 200 && statusCode < 300
      if (!isOpen || signal.aborted) {
        socket.destroy()
        // A proxy should answer 407, but tinyproxy answers a wrong password with 401.
        const isAuth = statusCode === 407 || statusCode === 401
        const code = isAuth ? 'E_PROXY_AUTH' : 'E_PROXY_REFUSED'
        resolve(err({ code, detail: `HTTP status ${statusCode}` }))
        return
      }
      if (head.length > 0) socket.unshift(head)
      resolve(ok(socket))
    })
    // A web server that is not a proxy answers with this event instead.
    request.on('response', (response) => response.destroy())
    request.end()
  })
}
