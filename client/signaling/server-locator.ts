/** Where the signaling server is. */
import { direct, placeOf, type ProxyFor } from '#client/proxy/proxy-choice'
import { scopeOfAddress } from '#client/signaling/address-scope'
import type { AppError } from '#shared/errors'
import type { ProxyAddress } from '#shared/proxy-url'
import { ok, type Result } from '#shared/result'
import { parseServerUrl } from '#shared/server-url'

/** A server to connect to. */
export type ServerAddress = {
  /** A WebSocket address. */
  readonly url: string
  /** A server that an application brings with it, on this computer or on the local network. */
  readonly embedded: boolean
  /** Where the socket goes when a URL can't say that: to an IPv6 address with a zone. */
  readonly dial?: { readonly host: string; readonly port: number }
  /** What the socket goes through; never for one that is `embedded`. */
  readonly proxy?: ProxyAddress
}

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

/** Asked before each connection: a configured server, or the one on this computer. */
export interface ServerLocator {
  /** The address that `locate` answers with. */
  readonly url: string
  locate(): Promise<Result<ServerAddress, AppError>>
  /** Ends what `locate` may have started. */
  close(): Promise<void>
}

/**
 * A server that a person configured; this program doesn't start it. Errors: `url` is no address of one, and
 * those of `proxyFor`.
 */
export const fixedServer = (url: string, proxyFor: ProxyFor = direct): ServerLocator => ({
  url,
  locate: async () => {
    const address = parseServerUrl(url)
    if (!address.ok) return address
    const proxy = await proxyFor(address.value)
    if (!proxy.ok) return proxy
    const server = { url: address.value, embedded: false }
    return ok(proxy.value === null ? server : { ...server, proxy: proxy.value })
  },
  close: () => Promise.resolve(),
})
