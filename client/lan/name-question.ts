/** The address behind a name of mDNS that another computer has given in place of its own (RFC 6762). */
import type { Packet, Question } from 'dns-packet'
import type { Clock } from '#client/clock'
import { maxPacketBytes } from '#client/lan/announcement'
import type { Lines } from '#client/lan/lines'
import { isOnThisNetwork } from '#client/proxy/this-network'
import { scopeOfAddress } from '#client/signaling/address-scope'

/** A question that got lost is asked once more, RFC 6762 section 5.2. */
const repeatMs = 1000

/** Whoever is there answers at once, over Wi-Fi that sleeps within a second; the other side is waiting. */
const timeoutMs = 3000

/** Records in one packet that are looked at: a computer says no more of one name. */
const maxRecords = 16

/** What asking needs. */
export type NameQuestionOptions = {
  readonly lines: Lines
  readonly clock: Clock
  /** Whether checks may go to an address; `isNear` unless given. */
  readonly isNear?: (address: string) => boolean
}

/** Addresses of no use further away, and others of a network that this computer is on. */
export const isNear = (address: string): boolean => {
  const scope = scopeOfAddress(address)
  return scope === 'private' || (scope === 'public' && isOnThisNetwork(address))
}

/**
 * Asks all local networks. `onAnswer` is called once with the literal address, and with `null` when there is
 * no answer, or one that a stranger may have made: several addresses, or one that isn't near. It is not called
 * after the returned function.
 */
export function askForName(
  name: string,
  { lines, clock, isNear: mayBe = isNear }: NameQuestionOptions,
  onAnswer: (address: string | null) => void,
): () => void {
  const wanted = name.toLowerCase()
  const packet = questionFor(wanted)
  let leaveLines = (): void => undefined
  const cancels = [
    clock.after(repeatMs, () => lines.send(() => packet)),
    clock.after(timeoutMs, () => conclude(null)),
  ]
  const stop = (): void => {
    for (const cancel of cancels) cancel()
    leaveLines()
  }
  const conclude = (address: string | null): void => {
    stop()
    onAnswer(address)
  }
  leaveLines = lines.use({
    onLine: (place) => lines.send(() => packet, place),
    concerns: (bytes) => mayConcern(bytes, wanted),
    onPacket: (heard) => {
      const [address, ...more] = addressesIn(heard, wanted)
      if (address !== undefined) conclude(more.length === 0 && mayBe(address) ? address : null)
    },
  })
  return stop
}

/**
 * Answers are to go to everybody: port 5353 is shared with the system's own mDNS, so one for a single socket may
 * reach the wrong one (RFC 6762 section 15.1).
 */
const questionFor = (name: string): Packet => ({
  type: 'query',
  questions: (['A', 'AAAA'] as const).map((type): Question => ({ name, type })),
})

/** False for a packet without that name, without decoding it. */
function mayConcern(bytes: Buffer, name: string): boolean {
  const label = name.replace(/\.local$/, '')
  return bytes.length <= maxPacketBytes && bytes.toString('latin1').toLowerCase().includes(label)
}

/** What a packet says of a name: one address stands for one name, where nobody lies. */
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
