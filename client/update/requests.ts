/** Limits the size and the duration of update requests. */
import type { EventEmitter } from 'node:events'
import {
  type ClientRequest,
  type IncomingMessage,
  request as requestHttp,
  type RequestOptions,
} from 'node:http'
import { request as requestHttps } from 'node:https'
import { HttpExecutor } from 'builder-util-runtime'
import type { Clock } from '#client/clock'
import { Refusal } from '#client/update/refusal'
import { updateError } from '#shared/update/update-error'

/** Makes requests for electron-updater: by Electron's network in the app, by Node elsewhere. */
export type Executor = Pick<
  HttpExecutor<{ readonly abort: () => void; readonly end: () => void }>,
  'request' | 'createRequest'
>

/** Makes requests by Node, in a process without Electron. */
export class NodeExecutor extends HttpExecutor<ClientRequest> {
  override createRequest(
    options: RequestOptions,
    callback: (response: IncomingMessage) => void,
  ): ClientRequest {
    return (options.protocol === 'http:' ? requestHttp : requestHttps)(options, callback)
  }
}

/** The minimum number of bytes received in each `paceMs`; a slower response is aborted. */
const minBytes = 64 * 1024
const paceMs = 60_000

/**
 * Aborts requests of `executor` whose response exceeds `maxBytes`, is silent or too slow. The returned function aborts
 * all open requests, because electron-updater lets canceled requests continue.
 */
export function boundRequests(
  executor: Executor,
  clock: Clock,
  maxBytes: () => number,
): () => void {
  const open = new Set<(reason: Error) => void>()
  const create = executor.createRequest.bind(executor)
  executor.createRequest = (options, callback) => {
    let [bytes, bytesBefore] = [0, 0]
    let response: IncomingMessage | null = null
    let cancel: () => void
    const request = create(options, (answer: IncomingMessage) => {
      response = answer
      callback(answer)
      answer.on('data', (part: Buffer | string) => {
        bytes += part.length
        if (bytes > maxBytes()) end(new Refusal(updateError('E_UPDATE_DAMAGED', 'too long')))
      })
      answer.once('end', close)
    })
    // Both kinds of request are emitters.
    const events = request as unknown as EventEmitter
    const end = (reason: Error): void => {
      close()
      response?.destroy(reason)
      events.emit('error', reason)
      request.abort()
    }
    const close = (): void => {
      open.delete(end)
      cancel()
    }
    const watch = (): void => {
      cancel = clock.after(paceMs, () => {
        if (bytes - bytesBefore < minBytes) {
          end(new Error('the server is too slow'))
          return
        }
        bytesBefore = bytes
        watch()
      })
    }
    watch()
    open.add(end)
    events.once('close', close)
    return request
  }
  return () => {
    for (const end of open) end(new Error('cancelled'))
  }
}
