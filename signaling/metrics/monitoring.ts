/**
 * The operator's port: metrics, liveness and readiness. It is separate from the clients' port, and
 * listens only if it is configured.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { AppError } from '#shared/errors'
import { ok, type Result } from '#shared/result'
import { healthPath } from '#shared/signaling/paths'
import { httpLimits } from '#signaling/limits/limits'
import { expositionType } from '#signaling/metrics/exposition'
import { healthPage, refusalOf } from '#signaling/pages/pages'
import type { HostPort } from '#signaling/socket/host-port'
import { listenAt } from '#signaling/socket/listening'

/** The server is ready for clients unless it is draining or its store doesn't respond. */
export type Readiness = 'ready' | 'draining' | 'store'

/** The monitored server. */
export type Monitored = {
  metrics(): Promise<string>
  readiness(): Promise<Readiness>
}

/** A listening port. */
export type Monitoring = {
  readonly port: number
  /** Ends every connection. */
  close(): Promise<void>
}

/** Enough for a few readers and manual requests. */
const maxConnections = 32

type Answer = { readonly status: number; readonly type: string; readonly content: string | Buffer }

const json = (status: number, value: object): Answer => ({
  status,
  type: 'application/json',
  content: JSON.stringify(value),
})

/** Starts to listen. Error: `E_BAD_ARGUMENT` if it can't. */
export async function startMonitoring(
  { host, port }: HostPort,
  monitored: Monitored,
): Promise<Result<Monitoring, AppError>> {
  const server = createServer(
    {
      maxHeaderSize: httpLimits.headerBytes,
      headersTimeout: httpLimits.handshakeMs,
      requestTimeout: httpLimits.handshakeMs,
      keepAliveTimeout: httpLimits.keepAliveMs,
    },
    (request, response) => {
      answer(request, monitored).then(
        (given) => send(response, given),
        () => send(response, json(500, {})),
      )
    },
  )
  server.maxConnections = maxConnections
  server.maxHeadersCount = httpLimits.headers + 1
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const bound = await listenAt(server, port, host, '--metrics')
  if (!bound.ok) return bound
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      for (const socket of sockets) socket.destroy()
    })
  return ok({ port: bound.value, close })
}

async function answer(request: IncomingMessage, monitored: Monitored): Promise<Answer> {
  const refusal = refusalOf(request)
  if (refusal !== null) return json(refusal, {})
  if (request.method !== 'GET') return json(404, {})
  switch (request.url) {
    case '/metrics':
      return { status: 200, type: expositionType, content: await monitored.metrics() }
    case healthPath:
      return { status: 200, ...healthPage }
    case '/readyz': {
      const readiness = await monitored.readiness()
      return readiness === 'ready'
        ? json(200, { ready: true })
        : json(503, { ready: false, because: readiness })
    }
    default:
      return json(404, {})
  }
}

function send(response: ServerResponse, { status, type, content }: Answer): void {
  response.writeHead(status, {
    Connection: 'close',
    'Cache-Control': 'no-store',
    'Content-Type': type,
  })
  response.end(content)
}
