/** Listening at an address, and why that fails. */
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type AppError, appError } from '#shared/errors'
import { err, ok, type Result } from '#shared/result'
import { serverText } from '#signaling/config/text'

/**
 * Connections that wait to be taken, as far as the system allows: when a network is back, thousands come within a second, and
 * one that finds no place tries again only after one, three, seven and fifteen.
 */
const backlog = 4096

/**
 * Listens at `host`, everywhere when it is empty. Returns the port that was bound. Errors:
 * `E_BAD_ARGUMENT` with the address; the sentence names `flag`, which chooses another port.
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

/** How this computer reaches a server that listens at `host`. */
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
