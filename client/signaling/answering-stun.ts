/**
 * Finds a STUN server that is up, because the engine uses only the first of a list. All servers get a binding request
 * at the same time (RFC 8489, section 5), and the first to answer is moved to the front.
 */
import { randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { isIPv6 } from 'node:net'
import { type Clock, systemClock } from '#client/clock'
import type { StunServer } from '#client/signaling/ice-servers'
import { withTimeout } from '#client/with-timeout'

/** Longer than most answers take, and short enough to go unnoticed. */
const timeoutMs = 300

const maxAsked = 8

const bindingRequest = Buffer.from('000100002112a442', 'hex')
const success = 0x0101
const transactionBytes = 12

/** The servers, already resolved, with an answering one first; unchanged if none of the first eight answers in time. */
export async function answeringFirst<S extends StunServer>(
  servers: readonly S[],
  clock: Clock = systemClock,
): Promise<readonly S[]> {
  if (servers.length < 2) return servers
  const closes: (() => void)[] = []
  const first = new Promise<S | null>((resolve) => {
    for (const server of servers.slice(0, maxAsked)) {
      closes.push(askStun(server, () => resolve(server)))
    }
  })
  const found = await withTimeout<S | null>(clock, timeoutMs, first, () => null)
  for (const close of closes) close()
  return found === null ? servers : [found, ...servers.filter((server) => server !== found)]
}

/** The same for servers of strangers, which are asked in turn so that few of them see this computer. */
export async function answeringInTurn<S extends StunServer>(
  servers: readonly S[],
  clock: Clock = systemClock,
): Promise<readonly S[]> {
  for (const server of servers.slice(0, -1)) {
    let close = (): void => undefined
    const answered = new Promise<boolean>((resolve) => {
      close = askStun(server, () => resolve(true))
    })
    const isThere = await withTimeout(clock, timeoutMs, answered, () => false)
    close()
    if (isThere) return [server]
  }
  return servers.slice(-1)
}

/**
 * Sends a binding request, and calls `onAnswer` if the server itself answers. The returned function ends this and must
 * be called once. Errors count as silence.
 */
export function askStun({ host, port }: StunServer, onAnswer: () => void): () => void {
  const transaction = randomBytes(transactionBytes)
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4')
  socket.on('error', () => undefined)
  socket.on('message', (answer, { address, port: from }) => {
    const isAnswer =
      answer.length >= bindingRequest.length + transactionBytes &&
      answer.readUInt16BE(0) === success &&
      answer.subarray(4, 8).equals(bindingRequest.subarray(4)) &&
      answer.subarray(8, 20).equals(transaction)
    if (isAnswer && address === host && from === port) onAnswer()
  })
  socket.send(Buffer.concat([bindingRequest, transaction]), port, host, () => undefined)
  return () => {
    socket.close()
  }
}
