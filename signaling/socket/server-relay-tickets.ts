/**
 * Tickets for server relays. Each side receives one from its own node, for the node where both meet, and none is stored: nodes
 * with the same key recognize them by their authentication code. Used tickets are remembered until they expire.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Clock } from '#signaling/clock'

/** One side of a pair, with the pair's common id. */
export type Participant = {
  readonly pair: string
  readonly isHost: boolean
  /** True for both sides if the joiner is a page. */
  readonly isPage: boolean
}

/** Bits of a ticket's last byte before its code. */
const hostBit = 1
const pageBit = 2

const pairBytes = 8
const timeBytes = 6
const headBytes = pairBytes + timeBytes + 1
const codeBytes = 17

/** Makes tickets for any node, and accepts those for the node `name`. */
export class ServerRelayTickets {
  /** The node whose tickets are accepted here; empty for a single node. */
  readonly name: string
  readonly #clock: Clock
  readonly #key: () => Buffer
  /** Expiry of each participant's ticket, ms; roughly in order of expiry. */
  readonly #used = new Map<string, number>()

  /** All nodes with the same `key` must share `clock`. */
  constructor(name: string, clock: Clock, key: () => Buffer) {
    this.name = name
    this.#clock = clock
    this.#key = key
  }

  /** The ticket for `participant` at the node `name`, valid for `lifeMs`: 43 characters of base64url. */
  issue({ pair, isHost, isPage }: Participant, name: string, lifeMs: number): string {
    const head = Buffer.alloc(headBytes)
    head.write(pair, 'hex')
    head.writeUIntBE(Math.floor(this.#clock.now() + lifeMs), pairBytes, timeBytes)
    const bits = (isHost ? hostBit : 0) | (isPage ? pageBit : 0)
    head.writeUInt8(bits, pairBytes + timeBytes)
    return Buffer.concat([head, this.#codeOf(head, name)]).toString('base64url')
  }

  /** The participant of a ticket; `null` if it is invalid, for another node, used, or expired. */
  participantOf(ticket: string): Participant | null {
    const read = this.#read(ticket)
    return read === null || this.#used.has(nameOf(read.participant)) ? null : read.participant
  }

  /** Uses up the ticket and returns its participant. */
  use(ticket: string): Participant | null {
    this.#forgetOld()
    const read = this.#read(ticket)
    if (read === null || this.#used.has(nameOf(read.participant))) return null
    this.#used.set(nameOf(read.participant), read.until)
    return read.participant
  }

  #read(ticket: string): { readonly participant: Participant; readonly until: number } | null {
    const bytes = Buffer.from(ticket, 'base64url')
    if (bytes.length !== headBytes + codeBytes) return null
    const head = bytes.subarray(0, headBytes)
    if (!timingSafeEqual(this.#codeOf(head, this.name), bytes.subarray(headBytes))) return null
    const until = head.readUIntBE(pairBytes, timeBytes)
    if (this.#clock.now() >= until) return null
    const bits = head.readUInt8(pairBytes + timeBytes)
    const pair = head.toString('hex', 0, pairBytes)
    const [isHost, isPage] = [(bits & hostBit) !== 0, (bits & pageBit) !== 0]
    return { participant: { pair, isHost, isPage }, until }
  }

  /** No pass has the same code: its input has a space at the position of this `s`. */
  #codeOf(head: Buffer, name: string): Buffer {
    const text = ` server-relay ${name}`
    const code = createHmac('sha256', this.#key()).update(head).update(text).digest()
    return code.subarray(0, codeBytes)
  }

  #forgetOld(): void {
    const now = this.#clock.now()
    for (const [participant, until] of this.#used) {
      if (until > now) return
      this.#used.delete(participant)
    }
  }
}

const nameOf = ({ pair, isHost }: Participant): string => `${pair} ${isHost ? 'host' : 'joiner'}`
