/**
 * The page that receives in a browser (web/), as `npm run build:web` made it: compressed files whose names contain a hash
 * of their content. A server has it only if its owner passes the folder.
 */
import { readdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { join } from 'node:path'

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

/** Headers of every file. */
export const webFileHeaders: Readonly<Record<string, string>> = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Content-Encoding': 'gzip',
  'X-Content-Type-Options': 'nosniff',
}

/** Headers of the page: it loads only its own files, and connects only to this server. */
export const webPageHeaders = (socket: Socket): Readonly<Record<string, string>> => ({
  ...webFileHeaders,
  'Cache-Control': 'no-store',
  'Content-Security-Policy': `default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src data:; connect-src ${ownSources(socket)}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'Referrer-Policy': 'no-referrer',
})

/** Older browsers don't count the WebSocket of a page's own server as 'self'. A policy can't name IPv6 addresses. */
function ownSources(socket: Socket): string {
  const place = placeOf(socket)
  return place.startsWith('[') ? "'self'" : `'self' ws://${place}`
}

/**
 * True for a request by the page that this server gave out: its origin is the address and port of this connection. A
 * name in its place could be another site's, whose owner made the name lead here.
 */
export const isFromOwnPage = ({ headers, socket }: IncomingMessage): boolean =>
  headers.origin === `http://${placeOf(socket)}`

/** `192.168.1.5:41480` or `[fd00::5]:41480`: this end of a connection, as browsers write it. */
function placeOf({ localAddress = '', localPort = 0 }: Socket): string {
  const address = localAddress.replace(/^::ffff:/, '')
  const host = address.includes(':') ? `[${address}]` : address
  return localPort === 80 ? host : `${host}:${localPort}`
}
