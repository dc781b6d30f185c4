import { demand, same, Skip } from '../demand.ts'
import { upgradeHeaders } from '../request.ts'
import type { TestCase } from '../test-case.ts'
import { basic, type TestContext } from '../test-context.ts'

/** The text of an upgrade with these additional header lines. */
function upgradeText(
  { url, access }: TestContext,
  lines: readonly string[],
  changes: Readonly<Record<string, string>> = {},
): string {
  const headers = Object.entries({ Host: url.host, ...upgradeHeaders, ...access, ...changes })
  const all = [...headers.map(([name, value]) => `${name}: ${value}`), ...lines]
  return ['GET /v1 HTTP/1.1', ...all, '\r\n'].join('\r\n')
}

const headerLines = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `X-${index}: a`)

/** Section "Transport". */
export const transportCases: readonly TestCase[] = [
  {
    rule: 'transport-1',
    says: 'a WebSocket opens at /v1',
    check: async (context) => {
      await context.open()
    },
  },
  {
    rule: 'transport-2',
    says: 'GET /healthz returns the kind of server and its highest version',
    check: async (context) => {
      const { status, body } = await context.ask('/healthz')
      same(status, 200)
      const health = JSON.parse(body) as { name?: unknown; version?: unknown }
      same(health.name, 'thruflux-signaling', 'name')
      const isVersion = Number.isInteger(health.version) && (health.version as number) >= 1
      demand(isVersion, 'version: a whole number from 1', health.version)
    },
  },
  {
    rule: 'transport-3',
    says: 'GET /join returns a page that opens web links',
    check: async (context) => {
      const { status, headers } = await context.ask('/join')
      if (status === 404) throw new Skip('a SHOULD that this server leaves out')
      same(status, 200)
      const type = headers['content-type'] ?? ''
      demand(type.startsWith('text/html'), 'Content-Type text/html', type)
    },
  },
  {
    rule: 'transport-4',
    says: 'every other request gets 404',
    check: async (context) => {
      for (const path of ['/nothing-here', '/healthz?x', '/join?c=4821-apple', '/join/x', '/v1']) {
        same((await context.ask(path)).status, 404, `GET ${path}:`)
      }
      for (const method of ['DELETE', 'POST']) {
        same((await context.ask('/healthz', { method })).status, 404, `${method} /healthz:`)
      }
      same(
        (await context.ask('/v2', { headers: upgradeHeaders })).status,
        404,
        'an upgrade at /v2:',
      )
    },
  },
  {
    rule: 'transport-5',
    says: 'a request with Origin gets 403',
    check: async (context) => {
      for (const Origin of ['https://example.org', 'null', 'http://localhost']) {
        for (const path of ['/', '/join', '/healthz']) {
          same((await context.ask(path, { headers: { Origin } })).status, 403, `${path}:`)
        }
        const headers = { ...upgradeHeaders, Origin }
        same((await context.ask('/v1', { headers })).status, 403, 'an upgrade:')
      }
    },
  },
  {
    rule: 'transport-6',
    says: 'no extension and no subprotocol is accepted',
    check: async (context) => {
      for (const extensions of ['permessage-deflate; client_max_window_bits', 'constructor']) {
        const offers = {
          'Sec-WebSocket-Extensions': extensions,
          'Sec-WebSocket-Protocol': 'chat, superchat',
        }
        const answer = await context.ask('/v1', { headers: { ...upgradeHeaders, ...offers } })
        same(answer.status, 101)
        same(answer.headers['sec-websocket-extensions'], undefined, 'extensions:')
        same(answer.headers['sec-websocket-protocol'], undefined, 'subprotocol:')
      }
    },
  },
  {
    rule: 'transport-7',
    says: 'a request that is not an upgrade to a WebSocket of version 13 gets 400',
    check: async (context) => {
      const old = { 'Sec-WebSocket-Version': '99' }
      same(await context.statusOfRaw(upgradeText(context, [], old)), 400, 'version 99:')
      same(await context.statusOfRaw(upgradeText(context, [], { Upgrade: 'h2c' })), 400, 'h2c:')
      for (const text of ['this is no HTTP', '\x16\x03\x01\x02\x00\x01']) {
        same(await context.statusOfRaw(`${text}\r\n\r\n`), 400, 'no HTTP:')
      }
    },
  },
  {
    rule: 'transport-8',
    says: 'a request with more than 50 headers, or 16 KiB of them, gets 431',
    check: async (context) => {
      same(await context.statusOfRaw(upgradeText(context, headerLines(30))), 101, '35 headers:')
      same(await context.statusOfRaw(upgradeText(context, headerLines(46))), 431, '51 headers:')
      const long = `X-Long: ${'a'.repeat(17 * 1024)}`
      same(await context.statusOfRaw(upgradeText(context, [long])), 431, '17 KiB:')
    },
  },
  {
    rule: 'transport-11',
    says: 'if the server requires a password, an upgrade without it gets 401; pages need none',
    check: async (context) => {
      if (context.access.Authorization === undefined) throw new Skip('no password was given')
      for (const shown of [null, 'Bearer none', basic('another password')]) {
        const headers = { ...upgradeHeaders, ...(shown !== null && { Authorization: shown }) }
        const answer = await context.askOpenly('/v1', { headers })
        same(answer.status, 401, `${shown ?? 'nothing'}:`)
        const challenge = answer.headers['www-authenticate'] ?? ''
        demand(/^basic realm=/i.test(challenge), 'WWW-Authenticate: Basic realm=', challenge)
      }
      same((await context.askOpenly('/healthz')).status, 200, '/healthz:')
      for (const path of ['/', '/join']) {
        const { status } = await context.askOpenly(path)
        demand([200, 404].includes(status), `200 for ${path}, or 404`, status)
      }
    },
  },
]
