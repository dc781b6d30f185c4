/** Listens on an address, and explains failures. */
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type AppError, appError } from '#shared/errors'
import { err, ok, type Result } from '#shared/result'
import { serverText } from '#signaling/config/text'

/**
 * Connections that can wait to be accepted, if the system allows it: after a network outage, thousands arrive within a
 * second, and a rejected client retries only after 1, 3, 7 and 15 seconds.
 */
const backlog = 4096

/**
 * Listens on `host`, or everywhere if it is empty. Returns the bound port. Error: `E_BAD_ARGUMENT` with
 * the address; the message names `flag`, which sets another port.
 */
export function listenAt(
  server: Server,
  port: number,
  host: string,
  flag = '--port',
): Promise<Result<number, AppError>> {
  return new Promise((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const detail = whyNotListening(error, host, port, flag)
      resolve(err(appError('E_BAD_ARGUMENT', detail, `${host}:${port}`)))
    })
    server.listen({ port, backlog, host: host || undefined }, () =>
      resolve(ok((server.address() as AddressInfo).port)),
    )
  })
}

/** The host for this computer in URLs of a server that listens on `host`. */
export function urlHost(host: string): string {
  if (host === '' || host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

function whyNotListening(
  error: NodeJS.ErrnoException,
  host: string,
  port: number,
  flag: string,
): string {
  switch (error.code) {
    case 'EADDRINUSE':
      return serverText.portTaken(port, flag)
    case 'EACCES':
      return serverText.portForbidden(port, flag)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return serverText.notOwnAddress(host, flag === '--port' ? '--host' : flag)
    default:
      return error.message
  }
}
