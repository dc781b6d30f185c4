/** Addresses of signaling servers, as people write them and as programs keep them. */
import { type AppError, appError } from '#shared/errors'
import { visibleText } from '#shared/format/visible-text'
import { err, ok, type Result } from '#shared/result'
import { signalingPath } from '#shared/signaling/messages'

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

/** The address of `parseServerUrl` without what every one of them ends with, as links have it. */
export const shortServerUrl = (url: string): string =>
  url.endsWith(signalingPath) ? url.slice(0, -signalingPath.length) : url

/** What people call a server: host and, unless it is the usual one, port. */
export function serverName(url: string): string {
  try {
    return new URL(url).host
  } catch {
    return visibleText(url.slice(0, 200))
  }
}

const noAddress = (text: string): string =>
  `"${visibleText(text.slice(0, 200))}" isn't a server address. Write it like ws://host:port or wss://host.`

const bad = (subject: string, detail: string) =>
  err(appError('E_BAD_ARGUMENT', detail, subject.slice(0, 200)))
