/**
 * The NAT between this computer and the internet (RFC 5780): its mapping of ports and its
 * filtering. Without a server that has a second address (OTHER-ADDRESS), only the views of several
 * servers can be compared, and filtering stays unknown.
 */
import type { Clock } from '#client/clock'
import type { Filtering, Mapping } from '#shared/state/network-check'
import { mayBeWrittenTo } from './endpoints'
import { attributes, type Endpoint, endpointIn } from './stun-message'
import type { OpenStunSocket, StunAnswer, StunSocket } from './stun-socket'

/** The time limit of an answer: a slower server makes no good connection. */
const timeoutMs = 1200
/** The time limit of a test that most routers leave unanswered. */
const silenceMs = 1000

/** CHANGE-REQUEST: answer from the other address and port, or from the other port (RFC 5780, section 7.2). */
const otherEndpoint = Buffer.from([0, 0, 0, 6])
const otherPort = Buffer.from([0, 0, 0, 2])

/** A server's view of one socket. */
export type Seen = {
  readonly server: Endpoint
  readonly mapped: Endpoint
  /** The server's other address and port. */
  readonly other: Endpoint | null
  readonly ms: number
}

/** The behavior over one address family. */
export type NatBehavior = { readonly mapping: Mapping; readonly filtering: Filtering }

/** Each server's view of one socket; `null` for silent servers. */
export const askEach = (
  socket: StunSocket,
  servers: readonly Endpoint[],
): Promise<readonly (Seen | null)[]> =>
  Promise.all(
    servers.map(async (server) => {
      const answer = await socket.ask(server, { timeoutMs })
      const mapped = mappedIn(answer)
      if (answer === null || mapped === null) return null
      const other = endpointIn(answer.message, attributes.otherAddress)
      return { server, mapped, ms: answer.ms, other: isUsable(other, server) ? other : null }
    }),
  )

/** Derives the behavior from the servers' views of `line`. `own`: this computer's addresses. */
export async function natBehavior(
  socket: StunSocket,
  seen: readonly Seen[],
  {
    own,
    family,
    open,
    clock,
  }: {
    readonly own: readonly string[]
    readonly family: 4 | 6
    readonly open: OpenStunSocket
    readonly clock: Clock
  },
): Promise<NatBehavior> {
  const able = seen.find(({ other }) => other !== null)
  const isOwn = seen.some(({ mapped }) => own.includes(mapped.host) && mapped.port === socket.port)
  // Runs before anything is sent to the other address: some routers then admit that address to any socket.
  const filtering =
    able === undefined ? 'unknown' : await filteringOf(able, await open(family, clock))
  return { mapping: isOwn ? 'none' : await mappingOf(socket, seen, able), filtering }
}

async function mappingOf(
  socket: StunSocket,
  seen: readonly Seen[],
  able: Seen | undefined,
): Promise<Mapping> {
  const compared = compare(seen)
  if (able === undefined || able.other === null) return compared
  const { server, mapped, other } = able
  const [second, third] = await Promise.all([
    socket.ask({ host: other.host, port: server.port }, { timeoutMs }).then(mappedIn),
    socket.ask(other, { timeoutMs }).then(mappedIn),
  ])
  if (second === null || third === null) return compared
  if (isSame(second, mapped) && isSame(third, mapped)) return 'endpoint'
  return isSame(second, third) ? 'address' : 'port'
}

/** Servers at one address reveal nothing about another address. */
function compare(seen: readonly Seen[]): Mapping {
  const [first, ...rest] = seen
  if (first === undefined) return 'unknown'
  if (!rest.every(({ mapped }) => isSame(mapped, first.mapped))) return 'destination'
  return rest.some(({ server }) => server.host !== first.server.host) ? 'endpoint' : 'unknown'
}

/** Uses a fresh socket, which has sent to one place only. */
async function filteringOf({ server, other }: Seen, socket: StunSocket | null): Promise<Filtering> {
  if (socket === null || other === null) return 'unknown'
  try {
    if ((await socket.ask(server, { timeoutMs })) === null) return 'unknown'
    const change = (value: Buffer) =>
      socket.ask(server, {
        carried: [[attributes.changeRequest, value]],
        timeoutMs: silenceMs,
        fromAnywhere: true,
      })
    const [fromOther, fromPort] = await Promise.all([change(otherEndpoint), change(otherPort)])
    // A server that answers from the queried place, or refuses, has tested nothing.
    const isTest = (answer: StunAnswer | null): boolean =>
      answer === null || (answer.message.kind === 'success' && !isSame(answer.from, server))
    if (!isTest(fromOther) || !isTest(fromPort)) return 'unknown'
    if (fromOther?.from.host === other.host) return 'endpoint'
    return fromPort?.from.host === server.host ? 'address' : 'port'
  } finally {
    socket.close()
  }
}

const mappedIn = (answer: StunAnswer | null): Endpoint | null =>
  answer?.message.kind === 'success' ? endpointIn(answer.message, attributes.mappedAddress) : null

const isSame = (one: Endpoint, other: Endpoint): boolean =>
  one.host === other.host && one.port === other.port

function isUsable(other: Endpoint | null, server: Endpoint): boolean {
  if (other === null || other.host === server.host) return false
  return other.host.includes(':') === server.host.includes(':') && mayBeWrittenTo(other, server)
}
