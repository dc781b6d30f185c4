/** Locators of signaling servers. */
import { direct, hostPortOf, type ProxyFor } from '#client/proxy/proxy-choice'
import { scopeOfAddress } from '#client/signaling/address-scope'
import type { RefusedPasswords } from '#client/signaling/refused-passwords'
import { type AppError, appError } from '#shared/errors'
import { err, ok, type Result } from '#shared/result'
import type { ProxyAddress } from '#shared/settings/proxy-url'
import { parseServerUrl, serverName } from '#shared/signaling/server-url'

/** A server to connect to. */
export type ServerAddress = {
  /** A WebSocket address. */
  readonly url: string
  /** True for an application's own server, on this computer or on the local network. */
  readonly embedded: boolean
  /** The socket's target if a URL can't express it: an IPv6 address with a zone. */
  readonly dial?: { readonly host: string; readonly port: number }
  /** The proxy for the socket; never for an `embedded` server. */
  readonly proxy?: ProxyAddress | undefined
  /** The password of a private server. */
  readonly password?: string | undefined
}

/** Proxies and passwords for configured servers, by their addresses. */
export type ServerAccess = {
  readonly proxyFor: ProxyFor
  readonly passwordFor: (url: string) => string | undefined
  /** Recently refused passwords, which are not sent; none by default. */
  readonly refused?: RefusedPasswords
}

/** Direct connections without passwords. */
const plainAccess: ServerAccess = { proxyFor: direct, passwordFor: () => undefined }

/** A server that responded. */
export type ReachedServer = Pick<ServerAddress, 'url' | 'embedded'> & {
  /** True without TLS over the internet, where others can read and change messages. */
  readonly insecure: boolean
}

/** The remote address of a socket to `url`; behind a proxy it is unknown, unless the URL contains it. */
export const remoteOf = (url: string, { proxy, remoteAddress = '' }: RemoteSocket): string =>
  proxy === undefined ? remoteAddress : hostPortOf(url).host

type RemoteSocket = {
  readonly proxy: ProxyAddress | undefined
  readonly remoteAddress: string | undefined
}

/** True if a socket to `url` is insecure; `remote` is its remote address, whatever the name suggests. */
export const isInsecure = (url: string, remote: string): boolean =>
  url.startsWith('ws:') && (scopeOfAddress(remote) ?? 'public') === 'public'

/** The error of a server that requires a password, or a different one. */
export const passwordError = (url: string, password: string | undefined): AppError =>
  appError(
    'E_SERVER_PASSWORD',
    password === undefined ? 'no password is set' : 'the password is wrong',
    serverName(url),
  )

/** Locates a configured or embedded server before each connection. */
export interface ServerLocator {
  /** The address that `locate` returns. */
  readonly url: string
  locate(): Promise<Result<ServerAddress, AppError>>
  /** Prepares for a join while its words are typed; sends nothing. */
  prepare?(nameplate: string): void
  /** Records that the server refused the password in `address`. */
  noteRefusal?(address: ServerAddress): void
  /** Ends the server if `locate` started it. */
  close(): Promise<void>
}

/**
 * The locator of a configured server, which this program doesn't start. Errors: `url` is invalid, those of `proxyFor`,
 * and `E_SERVER_PASSWORD` if the password was refused recently.
 */
export const fixedServer = (
  url: string,
  { proxyFor, passwordFor, refused }: ServerAccess = plainAccess,
): ServerLocator => ({
  url,
  locate: async () => {
    const address = parseServerUrl(url)
    if (!address.ok) return address
    const password = passwordFor(address.value)
    if (refused?.has(address.value, password) === true) {
      return err(passwordError(address.value, password))
    }
    const proxy = await proxyFor(address.value)
    if (!proxy.ok) return proxy
    return ok({
      url: address.value,
      embedded: false,
      proxy: proxy.value ?? undefined,
      password,
    })
  },
  noteRefusal: ({ url: refusedUrl, password }) => refused?.add(refusedUrl, password),
  close: () => Promise.resolve(),
})
