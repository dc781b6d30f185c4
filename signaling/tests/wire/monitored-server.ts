import { get } from 'node:http'
import type { SignalingServerOptions } from '#signaling/server'
import { type Exposed, parseExposition } from '../metrics/parse-exposition.ts'
import { startTestServer, type TestServer } from './test-server.ts'

/** A response of the monitoring port. */
export type Answer = {
  readonly status: number
  readonly type: string
  readonly content: string
}

/** A server with a monitoring port. */
export type MonitoredServer = TestServer & {
  readonly ask: (path: string, headers?: Readonly<Record<string, string>>) => Promise<Answer>
  /** The current metrics. */
  readonly scrape: () => Promise<Exposed>
}

/** Starts a server with metrics and readiness, until the test ends. */
export async function startMonitoredServer(
  options: SignalingServerOptions = {},
): Promise<MonitoredServer> {
  const server = await startTestServer({ metrics: '127.0.0.1:0', ...options })
  const monitored = server.log.find((event) => event.event === 'monitored')
  if (monitored === undefined) throw new Error('nothing listens for monitoring')
  const ask = (path: string, headers = {}) => httpGet(monitored.port, path, headers)
  const scrape = async () => parseExposition((await ask('/metrics')).content)
  return { ...server, ask, scrape }
}

/** The response of a port of this computer to a GET. */
export const httpGet = (port: number, path: string, headers = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const request = get({ host: '127.0.0.1', port, path, headers }, (response) => {
      let content = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => (content += chunk))
      response.on('end', () => {
        const type = response.headers['content-type'] ?? ''
        resolve({ status: response.statusCode ?? 0, type, content })
      })
    })
    request.on('error', reject)
  })
