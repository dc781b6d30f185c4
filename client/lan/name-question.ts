/** Resolves an mDNS name that another computer sent in place of its address (RFC 6762). */
import type { Packet, Question } from 'dns-packet'
import type { Clock } from '#client/clock'
import { maxPacketBytes } from '#client/lan/announcement'
import type { MulticastSockets } from '#client/lan/multicast-sockets'
import { isOnThisNetwork } from '#client/proxy/this-network'
import { scopeOfAddress } from '#client/signaling/address-scope'

/** A question is repeated once in case it got lost (RFC 6762, section 5.2). */
const repeatMs = 1000

/** A reachable computer answers within a second, even over sleeping Wi-Fi; the other side is waiting. */
const timeoutMs = 3000

/** Limits the records read from one packet: a computer sends fewer for one name. */
const maxRecords = 16

/** Dependencies of a question. */
export type NameQuestionOptions = {
  readonly sockets: MulticastSockets
  readonly clock: Clock
  /** True for an acceptable address; `isNear` by default. */
  readonly isNear?: (address: string) => boolean
}

/** True for private addresses, and for public ones on a network of this computer. */
export const isNear = (address: string): boolean => {
  const scope = scopeOfAddress(address)
  return scope === 'private' || (scope === 'public' && isOnThisNetwork(address))
}

/**
 * Asks all local networks. Calls `onAnswer` once with the literal address, or with `null` if the answer is missing or
 * suspicious: several addresses, or one that isn't near. The returned function cancels the question.
 */
export function askForName(
  name: string,
  { sockets, clock, isNear: mayBe = isNear }: NameQuestionOptions,
  onAnswer: (address: string | null) => void,
): () => void {
  const wanted = name.toLowerCase()
  const packet = questionFor(wanted)
  let leaveSockets = (): void => undefined
  const cancels = [
    clock.after(repeatMs, () => sockets.send(() => packet)),
    clock.after(timeoutMs, () => conclude(null)),
  ]
  const stop = (): void => {
    for (const cancel of cancels) cancel()
    leaveSockets()
  }
  const conclude = (address: string | null): void => {
    stop()
    onAnswer(address)
  }
  leaveSockets = sockets.use({
    onSocket: (place) => sockets.send(() => packet, place),
    concerns: (bytes) => mayConcern(bytes, wanted),
    onPacket: (received) => {
      const [address, ...more] = addressesIn(received, wanted)
      if (address !== undefined) conclude(more.length === 0 && mayBe(address) ? address : null)
    },
  })
  return stop
}

/**
 * Requests multicast answers: port 5353 is shared with the system's own mDNS, so a unicast answer
 * may reach the wrong socket (RFC 6762, section 15.1).
 */
const questionFor = (name: string): Packet => ({
  type: 'query',
  questions: (['A', 'AAAA'] as const).map((type): Question => ({ name, type })),
})

/** False for a packet that surely lacks the name, without decoding it. */
function mayConcern(bytes: Buffer, name: string): boolean {
  const label = name.replace(/\.local$/, '')
  return bytes.length <= maxPacketBytes && bytes.toString('latin1').toLowerCase().includes(label)
}

/** The addresses that a packet gives for a name: an honest computer gives one. */
function addressesIn(
  { type, answers = [], additionals = [] }: Packet,
  wanted: string,
): readonly string[] {
  if (type !== 'response') return []
  const addresses = [...answers, ...additionals].slice(0, maxRecords).flatMap((record) => {
    const isOne = record.type === 'A' || record.type === 'AAAA'
    return isOne && record.ttl !== 0 && record.name.toLowerCase() === wanted ? [record.data] : []
  })
  return [...new Set(addresses)]
}
