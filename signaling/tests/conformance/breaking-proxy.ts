/**
 * A proxy between the kit and a correct server that breaks one rule. It ends the sealing on both sides and
 * signs for owners with its own keys. It can therefore also break rules about the content of boxes.
 */
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { onTestFinished } from 'vitest'
import { type RawData, WebSocket, WebSocketServer } from 'ws'
import { joinHeader } from '#shared/signaling/messages'
import type { Message } from '../../conformance/schemas.ts'
import { type Boxes, ExchangeKey, OwnerSecret } from '../../conformance/sealing.ts'

/** A message in transit, and whether it is in a box. */
export type Passing = { readonly message: Message; readonly isBoxed: boolean }

/** The changes of a broken server; everything left out is correct. */
export type Breakage = {
  /** Replaces a message of the server; each socket has its own `memory`. */
  readonly toClient?: (passing: Passing, memory: Map<string, unknown>) => readonly Passing[]
  /** Replaces a message of the client; `answer` sends the client a message. */
  readonly toServer?: (
    passing: Passing,
    answer: (message: Message, closeCode?: number) => void,
  ) => readonly Passing[]
  /** Replaces a frame that isn't a message. */
  readonly frame?: (data: Buffer, isBinary: boolean) => Buffer | null
  /** Replaces a close code; `null` keeps the socket open. */
  readonly close?: (code: number) => number | null
  readonly health?: string
  /** Accepts sockets from web pages. */
  readonly takesOrigin?: boolean
  /** Compresses, and accepts the first subprotocol. */
  readonly takesOffers?: boolean
  /** Treats `/healthz?x` like `/healthz`. */
  readonly dropsQueries?: boolean
  /** Accepts sockets on every path. */
  readonly takesPaths?: boolean
}

/** Starts the proxy in front of the server at `url`; it ends with the test. Returns its URL. */
export async function startBreakingProxy(url: string, breakage: Breakage): Promise<string> {
  const owners = new Map<string, OwnerSecret>()
  const server = createServer((asked, response) => {
    if (breakage.health !== undefined && asked.url === '/healthz') {
      response.end(breakage.health)
      return
    }
    const headers = headersOf(asked, breakage)
    const { method, url: path = '' } = asked
    const target = new URL(path, url.replace(/^ws/, 'http'))
    if (breakage.dropsQueries === true) target.search = ''
    const forwarded = request(target, { method, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
    asked.pipe(forwarded)
  })
  const sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: breakage.takesOffers === true,
    ...(breakage.takesOffers === true ? {} : { handleProtocols: () => false }),
  })
  server.on('upgrade', (asked: IncomingMessage, socket: Duplex, head: Buffer) => {
    const path = breakage.takesPaths === true ? '/v1' : (asked.url ?? '')
    const origin = breakage.takesOrigin === true ? undefined : asked.headers.origin
    const upstream = new WebSocket(`${url}${path}`, {
      perMessageDeflate: false,
      headers: { ...(origin !== undefined && { origin }), ...joinOf(asked) },
    })
    upstream.on('error', () => undefined)
    upstream.once('unexpected-response', (_request, { statusCode }) => {
      socket.end(`HTTP/1.1 ${statusCode ?? 500} Refused\r\nContent-Length: 0\r\n\r\n`)
    })
    upstream.once('upgrade', () => {
      upstream.pause()
      sockets.handleUpgrade(asked, socket, head, (client) => {
        connectBoth(client, upstream, breakage, owners)
        upstream.resume()
      })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** The header of a join in the upgrade, if there is one. */
const joinOf = ({ headers }: IncomingMessage) =>
  headers[joinHeader] === undefined ? {} : { [joinHeader]: headers[joinHeader] }

function headersOf({ headers }: IncomingMessage, { takesOrigin }: Breakage) {
  const { origin, ...others } = headers
  return takesOrigin === true || origin === undefined ? others : { ...others, origin }
}

/** Codes that no endpoint may send stand for lost connections. */
const canBeSent = (code: number): boolean => ![1005, 1006, 1015].includes(code)

function connectBoth(
  client: WebSocket,
  upstream: WebSocket,
  breakage: Breakage,
  owners: Map<string, OwnerSecret>,
): void {
  const sides = { client: new ExchangeKey(), server: new ExchangeKey() }
  const memory = new Map<string, unknown>()
  let welcome: Message | null = null
  let toServerBoxes: Boxes | null = null
  let toClientBoxes: Boxes | null = null
  const beginning = () => ({
    nonce: String(welcome?.['nonce']),
    server: String(welcome?.['key']),
    client: sides.client.text,
  })
  const pack = ({ message, isBoxed }: Passing, boxes: Boxes | null, key?: string) =>
    JSON.stringify(
      isBoxed && boxes !== null
        ? {
            t: 'sealed',
            ...(key !== undefined && { key }),
            box: boxes.seal(JSON.stringify(message)),
          }
        : message,
    )
  const sendToClient = (passing: Passing) => {
    if (client.readyState === WebSocket.OPEN) client.send(pack(passing, toClientBoxes))
  }
  const answer = (message: Message, closeCode?: number) => {
    sendToClient({ message, isBoxed: false })
    if (closeCode !== undefined) client.close(closeCode)
  }

  upstream.on('message', (data: RawData) => {
    let message = JSON.parse((data as Buffer).toString()) as Message
    const isBoxed = message.t === 'sealed'
    if (isBoxed) {
      toServerBoxes ??= sides.client.boxes(beginning())
      message = JSON.parse(toServerBoxes.open(String(message['box'])) ?? '{}') as Message
    }
    if (message.t === 'welcome' && welcome === null) {
      welcome = message
      message = { ...message, key: sides.server.text }
    }
    const passing = { message, isBoxed }
    for (const each of breakage.toClient?.(passing, memory) ?? [passing]) sendToClient(each)
  })
  client.on('message', (data: RawData, isBinary: boolean) => {
    const raw =
      breakage.frame === undefined ? (data as Buffer) : breakage.frame(data as Buffer, isBinary)
    if (raw === null) return
    const isStillBinary = isBinary && breakage.frame === undefined
    const outer = isStillBinary ? null : parsed(raw)
    if (outer === null) {
      upstream.send(raw, { binary: isStillBinary })
      return
    }
    let message = outer
    const isBoxed = outer.t === 'sealed' && typeof outer['key'] === 'string'
    if (isBoxed) {
      const inner = opened(outer)
      if (inner === null) {
        upstream.send(JSON.stringify({ ...outer, key: sides.client.text }))
        return
      }
      message = inner
    }
    for (const each of breakage.toServer?.({ message, isBoxed }, answer) ?? [
      { message, isBoxed },
    ]) {
      toServerBoxes ??= sides.client.boxes(beginning())
      upstream.send(
        pack({ ...each, message: asOwn(each.message) }, toServerBoxes, sides.client.text),
      )
    }
  })
  upstream.on('close', (code) => {
    const passed = breakage.close === undefined ? code : breakage.close(code)
    if (passed === null) return
    if (canBeSent(passed)) client.close(passed)
    else client.terminate()
  })
  client.on('close', (code) => {
    if (canBeSent(code)) upstream.close(code)
    else upstream.terminate()
  })
  client.on('error', () => undefined)

  function opened(outer: Message): Message | null {
    learn(String(outer['key']))
    try {
      return parsed(Buffer.from(toClientBoxes?.open(String(outer['box'])) ?? ''))
    } catch {
      return null
    }
  }

  /** Enables boxes to the client, if `key` is valid. */
  function learn(key: string): void {
    const { nonce } = beginning()
    try {
      toClientBoxes ??= sides.server.boxes({ nonce, server: sides.server.text, client: key })
    } catch {
      // The server reports the invalid key itself.
    }
  }

  /** Replaces a client's keys and proofs by the proxy's own. */
  function asOwn(message: Message): Message {
    const { key, owner, proof } = message
    if (typeof key !== 'string' || !/^[A-Za-z0-9_-]{43}$/.test(key)) return message
    if (message.t !== 'sealed') {
      learn(key)
    }
    const changed = { ...message, key: sides.client.text }
    if (typeof owner !== 'string' || typeof proof !== 'string') return changed
    const own = owners.get(owner) ?? new OwnerSecret()
    owners.set(owner, own)
    return { ...changed, owner: own.text, proof: own.prove(beginning()) }
  }
}

/** A message, or `null` for invalid data. */
function parsed(data: Buffer): Message | null {
  try {
    const value = JSON.parse(data.toString()) as Message | null
    return typeof value?.t === 'string' ? value : null
  } catch {
    return null
  }
}
