/**
 * Which STUN server answers. The engine asks only the first of a list, so that one should be up: all are
 * asked at once with a binding request (RFC 8489, section 5), and the first to answer goes to the front.
 */
import { randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { isIPv6 } from 'node:net'
import { type Clock, systemClock } from '#client/clock'
import type { StunServer } from '#client/signaling/ice-servers'
import { within } from '#client/within'

/** Longer than most answers take, and short enough that nobody notices the wait. */
const timeoutMs = 300

const maxAsked = 8

const bindingRequest = Buffer.from('000100002112a442', 'hex')
const success = 0x0101
const transactionBytes = 12

/** The servers, which have addresses; in their order when none of the first eight answers in time. */
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
  const found = await within<S | null>(clock, timeoutMs, first, () => null)
  for (const close of closes) close()
  return found === null ? servers : [found, ...servers.filter((server) => server !== found)]
}

/**
 * Calls `onAnswer` when the server itself answers this request, until the returned function is called,
 * once. A server that can't be asked doesn't answer.
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
