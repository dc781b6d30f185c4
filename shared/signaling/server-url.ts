/** Addresses of signaling servers, as people write them and as programs store them. */
import { type AppError, appError } from '#shared/errors'
import { visibleText } from '#shared/format/visible-text'
import { err, ok, type Result } from '#shared/result'
import { signalingPath } from '#shared/signaling/paths'

const schemes: Readonly<Record<string, string>> = {
  'ws:': 'ws:',
  'wss:': 'wss:',
  'http:': 'ws:',
  'https:': 'wss:',
}

/**
 * Reads an address such as `ws://host:port` or `wss://host/behind/a/proxy` and returns its WebSocket form; `http` and
 * `https` are accepted, too. Error: `E_BAD_ARGUMENT`.
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

/** An address from `parseServerUrl` without the path that all of them end with; links use this form. */
export const shortServerUrl = (url: string): string =>
  url.endsWith(signalingPath) ? url.slice(0, -signalingPath.length) : url

/** A server's display name: its host, and its port unless that is the default one. */
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
