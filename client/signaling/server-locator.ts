/** Where the signaling server is. */
import { scopeOfAddress } from '#client/signaling/address-scope'
import { type AppError, appError } from '#shared/errors'
import { err, ok, type Result } from '#shared/result'
import { signalingPath } from '#shared/signaling'
import { visibleText } from '#shared/visible-text'

/** A server to connect to. */
export type ServerAddress = {
  /** A WebSocket address. */
  readonly url: string
  /** The server that this application brings with it, on this computer only. */
  readonly embedded: boolean
}

/** One that answered. */
export type ReachedServer = ServerAddress & {
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

const schemes: Readonly<Record<string, string>> = {
  'ws:': 'ws:',
  'wss:': 'wss:',
  'http:': 'ws:',
  'https:': 'wss:',
}

/**
 * The WebSocket address for what a person wrote: `ws://host:port`, `wss://host/behind/a/proxy`; the
 * web's schemes are understood too. Error: `E_BAD_ARGUMENT`.
 */
export function parseServerUrl(text: string): Result<string, AppError> {
  let url: URL
  try {
    url = new URL(text.trim())
  } catch {
    return bad(text, noAddress(text))
  }
  const scheme = schemes[url.protocol]
  if (scheme === undefined || url.hostname === '') {
    return bad(text, noAddress(text))
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    return bad(url.host, 'A server address has no user, query or fragment. Leave them out.')
  }
  const path = url.pathname.replace(/\/+$/, '')
  return ok(`${scheme}//${url.host}${path.endsWith(signalingPath) ? path : path + signalingPath}`)
}

const noAddress = (text: string): string =>
  `"${visibleText(text.slice(0, 200))}" isn't a server address. Write it like ws://host:port or wss://host.`

const bad = (subject: string, detail: string) =>
  err(appError('E_BAD_ARGUMENT', detail, subject.slice(0, 200)))
