/** Answers GET requests on the clients' port, and refuses requests that no honest client sends. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { joinPagePath } from '#shared/code/join-link'
import { encode, SIGNALING_VERSION } from '#shared/signaling/messages'
import { healthPath } from '#shared/signaling/paths'
import { httpLimits } from '#signaling/limits/limits'
import {
  clientAddress,
  type HomeFacts,
  homePage,
  homePageHeaders,
} from '#signaling/pages/home-page'
import { joinPageHeaders, joinPages } from '#signaling/pages/join-page'
import { pageLanguage } from '#signaling/pages/page-language'
import {
  isFromOwnPage,
  type ServedPage,
  webFileHeaders,
  webPageHeaders,
} from '#signaling/pages/web-page'
import type { Proxies } from '#signaling/socket/proxies'

/** A page for a browser or a probe; `headers` are added to those of every response. */
type Page = {
  readonly type: string
  readonly content: string | Buffer
  readonly headers?: Readonly<Record<string, string>>
}

const health = { name: 'thruflux-signaling', version: SIGNALING_VERSION } as const

const json = (content: string): Page => ({ type: 'application/json', content })

/** Identifies a signaling server to clients. */
export const healthPage = json(encode(health))
const healthPageWithPassword = json(encode({ ...health, password: true }))

const html = 'text/html; charset=utf-8'

/** Answers requests that are not for a WebSocket, on the server described by `facts`. */
export class Pages {
  facts: HomeFacts
  readonly #proxies: Proxies
  readonly #webPage: ServedPage | null
  readonly #mayRead: (request: IncomingMessage) => boolean

  /**
   * `proxies` are trusted to report that their client used TLS. `mayRead` counts requests for files of `webPage`, and is
   * false for an address with too many.
   */
  constructor(
    facts: HomeFacts,
    proxies: Proxies,
    webPage: ServedPage | null,
    mayRead: (request: IncomingMessage) => boolean,
  ) {
    this.facts = facts
    this.#proxies = proxies
    this.#webPage = webPage
    this.#mayRead = mayRead
  }

  /** See `refusalOf`; the server's own page may use it. */
  refusalOf(request: IncomingMessage): 403 | 431 | null {
    const refusal = refusalOf(request)
    return refusal === 403 && this.#webPage !== null && isFromOwnPage(request, this.#webPage)
      ? null
      : refusal
  }

  /** Answers one request. Returns true if the answer is long, so that it takes time to send. */
  answer(request: IncomingMessage, response: ServerResponse): boolean {
    const page = request.method === 'GET' ? this.#pageFor(request) : undefined
    const isLong = typeof page?.content === 'object'
    const found = page === undefined ? 404 : isLong && !this.#mayRead(request) ? 429 : 200
    const status = this.refusalOf(request) ?? found
    response.writeHead(status, {
      Connection: 'close',
      'Cache-Control': 'no-store',
      'Content-Type': page?.type ?? 'application/json',
      ...(status === 200 ? page?.headers : undefined),
    })
    response.end(status === 200 ? page?.content : undefined)
    return status === 200 && isLong
  }

  #pageFor(request: IncomingMessage): Page | undefined {
    const language = pageLanguage(request.headers['accept-language'])
    switch (request.url) {
      case '/': {
        const address = clientAddress(request.headers.host, this.#isSecure(request))
        const content = homePage(language, this.facts, address)
        return { type: html, content, headers: homePageHeaders }
      }
      case joinPagePath: {
        const page = this.#webPage?.page.page()
        return page === undefined
          ? { type: html, content: joinPages[language], headers: joinPageHeaders }
          : { ...page, headers: webPageHeaders(this.#originAt(request)) }
      }
      case healthPath:
        return this.facts.serverPasswords.length > 0 ? healthPageWithPassword : healthPage
      default: {
        const file = this.#webPage?.page.at(request.url ?? '')
        return file && { ...file, headers: webFileHeaders(this.#originAt(request), request.url) }
      }
    }
  }

  #originAt({ socket }: IncomingMessage): string {
    return this.#webPage?.originAt(socket) ?? ''
  }

  /** True if a trusted proxy received this request over TLS; the server itself never does. */
  #isSecure({ headers, socket }: IncomingMessage): boolean {
    return headers['x-forwarded-proto'] === 'https' && this.#proxies.has(socket.remoteAddress)
  }
}

/** The status that refuses a request regardless of its URL; `null` to accept it. */
export function refusalOf(request: IncomingMessage): 403 | 431 | null {
  if (request.rawHeaders.length > 2 * httpLimits.headers) return 431
  // Only browsers send it, and no web page may use this port.
  return request.headers.origin === undefined ? null : 403
}
