/** Where the signaling server is. */
import { scopeOfAddress } from '#client/signaling/address-scope'
import type { AppError } from '#shared/errors'
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
}

/** One that answered. */
export type ReachedServer = Pick<ServerAddress, 'url' | 'embedded'> & {
  /** Without TLS over the internet: who is on the way can listen, and change what passes. */
  readonly insecure: boolean
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

/** A server that a person configured; this program doesn't start it. Error: `url` is no address of one. */
export const fixedServer = (url: string): ServerLocator => ({
  url,
  locate: () => {
    const address = parseServerUrl(url)
    return Promise.resolve(address.ok ? ok({ url: address.value, embedded: false }) : address)
  },
  close: () => Promise.resolve(),
})
