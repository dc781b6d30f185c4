/**
 * The page that receives in a browser (web/), as `npm run build:web` made it: compressed files whose names contain a hash
 * of their content. A server has it only if its owner passes the folder.
 */
import { readdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { type AppError, appError } from '#shared/errors'
import { err, ok, type Result } from '#shared/result'
import { settings } from '#signaling/config/settings'
import { serverText } from '#signaling/config/text'

/** The path of the page's files at the server. */
export const webFilesPath = '/page/'

/** A file for a browser. */
export type WebFile = { readonly type: string; readonly content: Buffer }

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  wasm: 'application/wasm',
}

/** The page's HTML file, for the path of web links. */
const pageName = 'index.html'

/** All files are compressed once, in the build; every browser reads this. */
const ending = '.gz'

/** The files of a page; only names that the folder had when it was opened are ever read. */
export class WebPage {
  readonly #folder: string
  readonly #names: ReadonlySet<string>
  readonly #files = new Map<string, WebFile>()

  private constructor(folder: string, names: ReadonlySet<string>) {
    this.#folder = folder
    this.#names = names
  }

  /** The page in a folder; `null` if there is none, as in a checkout that has not built it. */
  static in(folder: string): WebPage | null {
    try {
      const names = readdirSync(folder).filter((name) => name.endsWith(ending))
      const known = new Set(names.map((name) => name.slice(0, -ending.length)))
      return known.has(pageName) ? new WebPage(folder, known) : null
    } catch {
      return null
    }
  }

  /** The page itself. */
  page(): WebFile | undefined {
    return this.#file(pageName)
  }

  /** The file at a path of the server. */
  at(url: string): WebFile | undefined {
    return url.startsWith(webFilesPath) ? this.#file(url.slice(webFilesPath.length)) : undefined
  }

  #file(name: string): WebFile | undefined {
    const known = this.#files.get(name)
    if (known !== undefined || !this.#names.has(name)) return known
    const type = types[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
    const file = { type, content: readFileSync(join(this.#folder, `${name}${ending}`)) }
    this.#files.set(name, file)
    return file
  }
}

/** The page in `folder` for the setting `web`; `null` without it. Error: `E_BAD_ARGUMENT` if there is no page. */
export function pageFor(web: string, folder: string): Result<WebPage | null, AppError> {
  if (web === '') return ok(null)
  const page = WebPage.in(folder)
  const { flag } = settings.web
  return page === null ? err(appError('E_BAD_ARGUMENT', serverText.noPage(flag), flag)) : ok(page)
}

/** The page at a server, and the origin at which browsers reach it over a connection. */
export type ServedPage = { readonly page: WebPage; readonly originAt: (socket: Socket) => string }

/**
 * A page at this fixed origin. Without one, as in a program's own server, the origin is the address and port of each
 * connection: a name in its place could be another site's, whose owner made the name lead here.
 */
export const servedAt = (page: WebPage, origin: string): ServedPage => ({
  page,
  originAt: origin === '' ? (socket) => `http://${placeOf(socket)}` : () => origin,
})

/** The beginning of the path of the page's worker, which transfers. */
const workerPath = `${webFilesPath}worker-`

/**
 * Headers of the file at a path, for a page at this origin. The page and its worker load only the page's files. The page
 * connects only to this server. The worker has the policy of its own script: behind TLS it also connects to senders by
 * WebTransport, whose addresses no policy can name beforehand.
 */
export const webFileHeaders = (origin: string, path = ''): Readonly<Record<string, string>> => ({
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Content-Encoding': 'gzip',
  'Content-Security-Policy': `default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src data:; connect-src ${ownSources(origin)}${callsSenders(origin, path) ? ' https:' : ''}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
})

/** Features of browsers that the page doesn't use, and so can't be made to. */
const unused = ['camera', 'geolocation', 'microphone', 'payment', 'usb']

/** Headers of the page itself. */
export const webPageHeaders = (origin: string): Readonly<Record<string, string>> => ({
  ...webFileHeaders(origin),
  'Cache-Control': 'no-store',
  'Permissions-Policy': unused.map((feature) => `${feature}=()`).join(', '),
  'Referrer-Policy': 'no-referrer',
  // A page of the local network must not oblige its address to TLS, nor can it isolate itself.
  ...(origin.startsWith('https:') && {
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Strict-Transport-Security': 'max-age=31536000',
  }),
})

const callsSenders = (origin: string, path: string): boolean =>
  origin.startsWith('https:') && path.startsWith(workerPath)

/** Older browsers don't count the WebSocket of a page's own server as 'self'. A policy can't name IPv6 addresses. */
const ownSources = (origin: string): string =>
  origin.includes('[') ? "'self'" : `'self' ${origin.replace(/^http/, 'ws')}`

/** True for a request by the page that this server gave out. */
export const isFromOwnPage = (request: IncomingMessage, { originAt }: ServedPage): boolean =>
  request.headers.origin === originAt(request.socket)

/** `192.168.1.5:41480` or `[fd00::5]:41480`: this end of a connection, as browsers write it. */
function placeOf({ localAddress = '', localPort = 0 }: Socket): string {
  const address = localAddress.replace(/^::ffff:/, '')
  const host = address.includes(':') ? `[${address}]` : address
  return localPort === 80 ? host : `${host}:${localPort}`
}
