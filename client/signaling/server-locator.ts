/** Where the signaling server is. */
import { direct, placeOf, type ProxyFor } from '#client/proxy/proxy-choice'
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
  /** A server that an application brings with it, on this computer or on the local network. */
  readonly embedded: boolean
  /** Where the socket goes when a URL can't say that: to an IPv6 address with a zone. */
  readonly dial?: { readonly host: string; readonly port: number }
  /** What the socket goes through; never for one that is `embedded`. */
  readonly proxy?: ProxyAddress | undefined
  /** For a server that is only for those who know it. */
  readonly password?: string | undefined
}

/** How servers that people configured are reached: through what, and with which password, by their addresses. */
export type ServerAccess = {
  readonly proxyFor: ProxyFor
  readonly passwordFor: (url: string) => string | undefined
  /** Those that are not shown again so soon; each is shown unless given. */
  readonly refused?: RefusedPasswords
}

/** A direct way, without a password. */
const plainAccess: ServerAccess = { proxyFor: direct, passwordFor: () => undefined }

/** One that answered. */
export type ReachedServer = Pick<ServerAddress, 'url' | 'embedded'> & {
  /** Without TLS over the internet: who is on the way can listen, and change what passes. */
  readonly insecure: boolean
}

/** The address at the other end of a socket to `url`; behind a proxy it is unknown, unless the URL has it. */
export const remoteOf = (url: string, { proxy, remoteAddress = '' }: RemoteSocket): string =>
  proxy === undefined ? remoteAddress : placeOf(url).host

type RemoteSocket = {
  readonly proxy: ProxyAddress | undefined
  readonly remoteAddress: string | undefined
}

/** Whether a socket to `url` is; `remote` is the address at its other end, whatever the name says. */
export const isInsecure = (url: string, remote: string): boolean =>
  url.startsWith('ws:') && (scopeOfAddress(remote) ?? 'public') === 'public'

/** What a server says to a password that is none of its own, or to none. */
export const passwordError = (url: string, password: string | undefined): AppError =>
  appError(
    'E_SERVER_PASSWORD',
    password === undefined ? 'no password is set' : 'the password is wrong',
    serverName(url),
  )

/** Asked before each connection: a configured server, or the one on this computer. */
export interface ServerLocator {
  /** The address that `locate` answers with. */
  readonly url: string
  locate(): Promise<Result<ServerAddress, AppError>>
  /** The server at the address that `locate` gave wants another password. */
  noteRefusal?(address: ServerAddress): void
  /** Ends what `locate` may have started. */
  close(): Promise<void>
}

/**
 * A server that a person configured; this program doesn't start it. Errors: `url` is no address of one,
 * those of `proxyFor`, and `E_SERVER_PASSWORD` where the password was refused a moment ago.
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
