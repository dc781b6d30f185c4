/**
 * The join link `thruflux:join?v=1&c=4821-apple-river-stone&s=wss://meet.example.org`, for chats and QR codes, and its
 * web form `https://meet.example.org/join#c=4821-apple-river-stone`. Readers accept exactly these forms, because links
 * come from untrusted places. A server that a link names is used only after a person has agreed to it
 * (`Client.confirmServer`).
 */
import { isJoinCode } from '#shared/code/join-code'
import { type AppError, appError } from '#shared/errors'
import { err, ok, type Result } from '#shared/result'
import { blockedPorts } from '#shared/signaling/blocked-ports'
import { parseServerUrl, shortServerUrl } from '#shared/signaling/server-url'
import type { Share } from '#shared/state/app-state'
import type { LocalNetworkStatus } from '#shared/state/local-network-status'

export const joinLinkScheme = 'thruflux'

/** The subject of errors about links. */
export const joinLinkSubject = `${joinLinkScheme}:`

/** The contents of a link. */
export type JoinLink = {
  readonly code: string
  /** The signaling server that gave the code, in the form of `parseServerUrl`; `null` if the link names none. */
  readonly server: string | null
}

/** Bytes. A code has at most 39, and the text between the parts fewer than 30. */
export const maxLinkLength = 400

/** Bytes of a server's address in a link. */
const maxServerLength = 200

const beginning = `${joinLinkSubject}join?`

/** The path of the page that opens links, after the server's own path. */
export const joinPagePath = '/join'

/** The link that fills `code` into the code field. */
export function makeJoinLink({ code, server }: JoinLink): string {
  const place = server === null ? null : serverPart(server)
  return `${beginning}v=1&c=${code}${place === null ? '' : `&s=${place}`}`
}

/**
 * The server for the link of a share whose code came from `server`. Without a configured server it is the embedded one
 * if blocked announcements keep others from finding it automatically.
 */
export function serverForLink(server: string | null, network: LocalNetworkStatus): string | null {
  if (server !== null || network.phase !== 'blocked' || network.reason !== 'multicast')
    return server
  return network.urls[0] ?? null
}

/** The link of a share in its current state; `null` before it has a code. */
export const linkOfShare = (
  { code, server }: Pick<Share, 'code' | 'server'>,
  network: LocalNetworkStatus,
): string | null =>
  code === null ? null : makeJoinLink({ code, server: serverForLink(server, network) })

/** The web form, for a server reached over TLS; `null` for any other. */
export function makeWebLink({ code, server }: JoinLink): string | null {
  const place = server === null ? null : serverPart(server)
  if (!place?.startsWith('wss:')) return null
  return `https:${place.slice('wss:'.length)}${joinPagePath}#c=${code}`
}

/** The address at which a browser on this network receives a share; `null` if there is none. */
export function makePageLink(
  { code, noBrowsers }: Pick<Share, 'code' | 'noBrowsers'>,
  network: LocalNetworkStatus,
): string | null {
  if (code === null || noBrowsers === true) return null
  if (network.phase !== 'visible' || network.hasPage !== true) return null
  const place = network.urls[0]?.replace(/^ws:/, 'http:')
  return place === undefined ? null : `${place}${joinPagePath}#c=${code}`
}

/** A share, as links name it. */
type LinkedShare = Pick<Share, 'code' | 'server' | 'web' | 'noBrowsers'>

/** The address at which browsers anywhere receive a share, if its server has a page; `null` otherwise. */
export const webPageOf = ({ code, server, web }: LinkedShare): string | null =>
  code === null || web !== true ? null : makeWebLink({ code, server })

/** The address for QR codes: a page at which any browser receives, or else the join link; `null` without a code. */
export const linkToScan = (share: LinkedShare, network: LocalNetworkStatus): string | null =>
  webPageOf(share) ?? makePageLink(share, network) ?? linkOfShare(share, network)

/** The address in the form for links; `null` for one that readers would refuse. */
function serverPart(server: string): string | null {
  const short = shortServerUrl(server)
  return readServer(short) === null ? null : short.replace('[', '%5B').replace(']', '%5D')
}

/** True for a text that looks like one of our links, well-formed or not. */
export const isLinkOfOurs = (text: string): boolean =>
  text.slice(0, joinLinkSubject.length).toLowerCase() === joinLinkSubject

/** True for a text that looks like the web form, well-formed or not. */
export const isWebLink = (text: string): boolean => /^https:\/\/[^\s#?]+\/join#/i.test(text)

/**
 * Parses a link; the words of its code may still be wrong. `E_BAD_CODE` for anything but the form of `makeJoinLink`;
 * its parameters may be in any order, and `- : / [ ]` percent-encoded.
 */
export function parseJoinLink(link: string): Result<JoinLink, AppError> {
  if (link.length > maxLinkLength) return refused(`longer than ${maxLinkLength} bytes`)
  if (!link.startsWith(beginning)) return refused(`it does not begin with ${beginning}`)
  const parameters = link
    .slice(beginning.length)
    .split('&')
    .map((parameter) => parameter.replace(/%(?:2d|2f|3a|5b|5d)/gi, decodeURIComponent))
  const valuesOf = (name: string): readonly string[] =>
    parameters
      .filter((parameter) => parameter.startsWith(`${name}=`))
      .map((parameter) => parameter.slice(name.length + 1))
  const codes = valuesOf('c')
  const servers = valuesOf('s')
  if (!parameters.includes('v=1')) return refused('it is not of version 1')
  if (codes.length > 1 || servers.length > 1 || parameters.length > 2 + servers.length) {
    return refused('it has unknown or repeated parameters')
  }
  return linkOf(codes[0], servers[0])
}

/** Parses a web link. `E_BAD_CODE` for anything but the form of `makeWebLink`. */
export function parseWebLink(link: string): Result<JoinLink, AppError> {
  if (link.length > maxLinkLength) return refused(`longer than ${maxLinkLength} bytes`)
  const [, place, code] = /^https:(\/\/[^#?]+)\/join#c=([^&]*)$/.exec(link) ?? []
  if (place === undefined) return refused('it is not the address of a join page')
  return linkOf(code?.replace(/%2d/gi, '-'), `wss:${place}`)
}

function linkOf(code: string | undefined, place: string | undefined): Result<JoinLink, AppError> {
  if (code === undefined || !isJoinCode(code)) return refused('it has no join code')
  if (place === undefined) return ok({ code, server: null })
  const server = readServer(place)
  return server === null ? refused('its server address is not valid') : ok({ code, server })
}

/** A lower-case host, an address in brackets, or digits and dots; then a port, and a path of plain names. */
const serverGrammar =
  /^wss?:\/\/(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::[1-9][0-9]{0,4})?(?:\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*$/

/**
 * Accepts a server's address only in its single normal form. Refuses `127.1`, a default port and anything else that
 * hides part of its meaning, and ports that browsers refuse.
 */
function readServer(text: string): string | null {
  if (text.length > maxServerLength || !serverGrammar.test(text)) return null
  const url = parseServerUrl(text)
  if (!url.ok || shortServerUrl(url.value) !== text) return null
  return blockedPorts.has(Number(new URL(url.value).port)) ? null : url.value
}

/** The subject distinguishes it from a typed code; the contents of the link are never shown. */
const refused = (detail: string) => err(appError('E_BAD_CODE', detail, joinLinkSubject))
