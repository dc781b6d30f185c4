/**
 * The join link `thruflux:join?v=1&c=4821-apple-river-stone&s=wss://meet.example.org`, for chats and
 * QR codes, and its web form `https://meet.example.org/join#c=4821-apple-river-stone`. A reader takes
 * exactly these forms: a link comes from anywhere, and what it can't say it can't do. A server that a
 * link names is used only after a person agreed to it (`Client.confirmServer`).
 */
import { isJoinCode } from '#shared/code/join-code'
import { type AppError, appError } from '#shared/errors'
import { err, ok, type Result } from '#shared/result'
import { blockedPorts } from '#shared/signaling/blocked-ports'
import { parseServerUrl, shortServerUrl } from '#shared/signaling/server-url'
import type { LocalNetworkStatus, Share } from '#shared/state/app-state'

export const joinLinkScheme = 'thruflux'

/** What errors about links are about. */
export const joinLinkSubject = `${joinLinkScheme}:`

/** What a link leads to. */
export type JoinLink = {
  readonly code: string
  /** The signaling server that gave the code, as `parseServerUrl` writes it; `null`: not said. */
  readonly server: string | null
}

/** Bytes; a code has at most 39, and what stands between the parts fewer than 30. */
export const maxLinkLength = 400

/** Bytes of a server's address in a link. */
const maxServerLength = 200

const beginning = `${joinLinkSubject}join?`

/** Where a signaling server has the page that opens links, after the path of its address. */
export const joinPagePath = '/join'

/** The link that fills `code` into the code field of whoever opens it. */
export function makeJoinLink({ code, server }: JoinLink): string {
  const place = server === null ? null : serverPart(server)
  return `${beginning}v=1&c=${code}${place === null ? '' : `&s=${place}`}`
}

/**
 * The server that the link of a share names, whose code came from `server`. Without a configured one it
 * is that of this computer, if others don't find it by themselves because announcements are blocked.
 */
export function serverForLink(server: string | null, network: LocalNetworkStatus): string | null {
  if (server !== null || network.phase !== 'blocked' || network.reason !== 'multicast')
    return server
  return network.urls[0] ?? null
}

/** The link of a share as it is now; `null` before it has a code. */
export const linkOfShare = (
  { code, server }: Pick<Share, 'code' | 'server'>,
  network: LocalNetworkStatus,
): string | null =>
  code === null ? null : makeJoinLink({ code, server: serverForLink(server, network) })

/** The web form, for a server that is reached with TLS; `null` for another one. */
export function makeWebLink({ code, server }: JoinLink): string | null {
  const place = server === null ? null : serverPart(server)
  if (!place?.startsWith('wss:')) return null
  return `https:${place.slice('wss:'.length)}${joinPagePath}#c=${code}`
}

/** The address as it stands in a link; `null` for one that no reader would take. */
function serverPart(server: string): string | null {
  const short = shortServerUrl(server)
  return readServer(short) === null ? null : short.replace('[', '%5B').replace(']', '%5D')
}

/** True for what means to be a link of ours, well-formed or not. */
export const isLinkOfOurs = (text: string): boolean =>
  text.slice(0, joinLinkSubject.length).toLowerCase() === joinLinkSubject

/** True for what means to be the web form, well-formed or not. */
export const isWebLink = (text: string): boolean => /^https:\/\/[^\s#?]+\/join#/i.test(text)

/**
 * What a link says; the words of its code may still be wrong. `E_BAD_CODE` for everything but the
 * form of `makeJoinLink` with its parameters in any order and `- : / [ ]` perhaps percent-encoded.
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
  if (!parameters.includes('v=1')) return refused('not of version 1')
  if (codes.length > 1 || servers.length > 1 || parameters.length > 2 + servers.length) {
    return refused('it says more than it may')
  }
  return linkOf(codes[0], servers[0])
}

/** What a web link says. `E_BAD_CODE` for everything but the form of `makeWebLink`. */
export function parseWebLink(link: string): Result<JoinLink, AppError> {
  if (link.length > maxLinkLength) return refused(`longer than ${maxLinkLength} bytes`)
  const [, place, code] = /^https:(\/\/[^#?]+)\/join#c=([^&]*)$/.exec(link) ?? []
  if (place === undefined) return refused('it is no address of a page for codes')
  return linkOf(code?.replace(/%2d/gi, '-'), `wss:${place}`)
}

function linkOf(code: string | undefined, place: string | undefined): Result<JoinLink, AppError> {
  if (code === undefined || !isJoinCode(code)) return refused('it has no join code')
  if (place === undefined) return ok({ code, server: null })
  const server = readServer(place)
  return server === null ? refused('its server is no address of one') : ok({ code, server })
}

/** Host in small letters, an address in brackets, or digits and dots; a port; plain names as path. */
const serverGrammar =
  /^wss?:\/\/(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::[1-9][0-9]{0,4})?(?:\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*$/

/**
 * The server's address, only if it is written in its one normal form: `127.1`, a default port and
 * everything else that means more than it shows is refused, and so are ports that browsers refuse.
 */
function readServer(text: string): string | null {
  if (text.length > maxServerLength || !serverGrammar.test(text)) return null
  const url = parseServerUrl(text)
  if (!url.ok || shortServerUrl(url.value) !== text) return null
  return blockedPorts.has(Number(new URL(url.value).port)) ? null : url.value
}

/** The subject tells it from a code that was typed; what the link says is shown nowhere. */
const refused = (detail: string) => err(appError('E_BAD_CODE', detail, joinLinkSubject))
