/** What a GET is answered with on the clients' port, and requests that nobody honest sends. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { joinPagePath } from '#shared/join-link'
import { encode, healthPath, SIGNALING_VERSION } from '#shared/signaling'
import { joinPage, joinPageHeaders } from '#signaling/join-page'
import { httpLimits } from '#signaling/limits'
import { serverText } from '#signaling/text'

/** What a browser or a probe gets; `headers` beside those of every answer. */
type Page = {
  readonly type: string
  readonly content: string
  readonly headers?: Readonly<Record<string, string>>
}

/** By this a client knows a signaling server. */
export const healthPage: Page = {
  type: 'application/json',
  content: encode({ name: 'thruflux-signaling', version: SIGNALING_VERSION }),
}

const pages: ReadonlyMap<string, Page> = new Map<string, Page>([
  ['/', { type: 'text/plain; charset=utf-8', content: serverText.page }],
  [joinPagePath, { type: 'text/html; charset=utf-8', content: joinPage, headers: joinPageHeaders }],
  [healthPath, healthPage],
])

/** Answers a request that is not for a WebSocket. */
export function answerPage(request: IncomingMessage, response: ServerResponse): void {
  const page = request.method === 'GET' ? pages.get(request.url ?? '') : undefined
  const status = refusalOf(request) ?? (page === undefined ? 404 : 200)
  response.writeHead(status, {
    Connection: 'close',
    'Cache-Control': 'no-store',
    'Content-Type': page?.type ?? 'application/json',
    ...(status === 200 ? page?.headers : undefined),
  })
  response.end(status === 200 ? page?.content : undefined)
}

/** Why a request is refused whatever it asks for; `null` when nothing is wrong with it. */
export function refusalOf(request: IncomingMessage): 403 | 431 | null {
  if (request.rawHeaders.length > 2 * httpLimits.headers) return 431
  // Only browsers send it, and no web page has any business here.
  return request.headers.origin === undefined ? null : 403
}
