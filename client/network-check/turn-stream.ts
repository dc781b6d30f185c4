/** Messages of STUN over a stream (RFC 8489, section 6.2.2): TURN over TCP and TLS. */
import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import type { Clock } from '#client/clock'
import { decodeStun, encodeStun, methods, stunLength, type StunMessage } from './stun-message'
import type { StunAnswer, StunSocket } from './stun-socket'

/** A server that sends longer messages is not usable. */
const maxBytes = 66_000

/** Wraps a connected stream as a line; closing either closes both. */
export function streamSocket(stream: Socket, clock: Clock): StunSocket {
  const waiting = new Map<string, (answer: StunAnswer['message'] | null) => void>()
  let takeOther: (message: StunMessage) => void = () => undefined
  let gathered: Buffer = Buffer.alloc(0)
  const end = (): void => {
    stream.destroy()
    for (const answer of [...waiting.values()]) answer(null)
  }
  stream.on('error', end)
  stream.on('close', end)
  stream.on('data', (bytes: Buffer) => {
    gathered = gathered.length === 0 ? bytes : Buffer.concat([gathered, bytes])
    for (;;) {
      const length = stunLength(gathered)
      if (length === 0 || (length !== null && length > gathered.length)) break
      const message = length === null ? null : decodeStun(gathered.subarray(0, length))
      if (length === null || message === null) {
        end()
        return
      }
      gathered = gathered.subarray(length)
      const take = waiting.get(message.transaction.toString('hex'))
      if (take === undefined || message.kind === 'request') takeOther(message)
      else take(message)
    }
    if (gathered.length > maxBytes) end()
  })
  return {
    ask: (endpoint, { method = methods.binding, carried, key, timeoutMs }) =>
      new Promise((answer) => {
        const transaction = randomBytes(12)
        const id = transaction.toString('hex')
        const begun = clock.now()
        const cancel = clock.after(timeoutMs, () => waiting.get(id)?.(null))
        waiting.set(id, (message) => {
          waiting.delete(id)
          cancel()
          answer(message === null ? null : { message, from: endpoint, ms: clock.now() - begun })
        })
        if (stream.destroyed) waiting.get(id)?.(null)
        else stream.write(encodeStun('request', method, transaction, carried, key))
      }),
    tell: (_place, bytes) => void stream.write(bytes),
    onOther: (take) => {
      takeOther = take
    },
    port: stream.localPort ?? 0,
    close: () => {
      stream.destroy()
    },
  }
}
