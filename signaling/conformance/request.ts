/** Plain HTTP requests, including some that no library would send. */
import { type IncomingHttpHeaders, request as overTcp } from 'node:http'
import { request as overTls } from 'node:https'
import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { Mismatch } from './demand.ts'

/** An HTTP response. */
export type Answer = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Differences from a plain GET. */
export type RequestOptions = {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends a request to `path` and returns the response; an upgrade counts as one and ends there. */
export function ask(
  base: URL,
  path: string,
  patienceMs: number,
  { method = 'GET', headers = {} }: RequestOptions = {},
): Promise<Answer> {
  const url = new URL(path, base)
  url.protocol = base.protocol === 'wss:' ? 'https:' : 'http:'
  const send = url.protocol === 'https:' ? overTls : overTcp
  return new Promise((resolve, reject) => {
    const request = send(url, { method, headers, agent: false, timeout: patienceMs })
    request.on('timeout', () => request.destroy(new Error('no answer in time')))
    request.on('error', (error) => reject(new Mismatch('an HTTP answer', error.message)))
    request.on('upgrade', (response, socket) => {
      socket.destroy()
      resolve({ status: 101, headers: response.headers, body: '' })
    })
    request.on('response', (response) => {
      let body = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => (body += chunk))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
      )
    })
    request.end()
  })
}

/** Sends `text` unchanged and returns the status of the response; `null` if the connection ends without one. */
export function statusOfRaw(base: URL, text: string, patienceMs: number): Promise<number | null> {
  const isTls = base.protocol === 'wss:'
  const host = base.hostname.replace(/^\[|\]$/g, '')
  const port = Number(base.port) || (isTls ? 443 : 80)
  return new Promise((resolve) => {
    const socket = isTls ? connectTls({ host, port, servername: host }) : connect({ host, port })
    let received = ''
    const end = () => {
      const [, status] = /^HTTP\/1\.[01] (\d{3})/.exec(received) ?? []
      resolve(status === undefined ? null : Number(status))
      socket.destroy()
    }
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1')
      if (/\r\n/.test(received)) end()
    })
    // A server may also refuse by a reset.
    socket.on('error', end)
    socket.on('close', end)
    socket.setTimeout(patienceMs, end)
    socket.write(text)
  })
}

/** The headers of an upgrade to a WebSocket. */
export const upgradeHeaders = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAAAA==',
}
