/**
 * Tickets for detours. Each side is given one by its own node, for the node where both are to meet, and none is kept: nodes with the
 * same key know each other's by their code. Only those that were used are remembered, until they would have ended.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Clock } from '#signaling/clock'

/** One side of a pair, by the id that both sides have for the pair. */
export type Participant = { readonly pair: string; readonly isHost: boolean }

const pairBytes = 8
const timeBytes = 6
const headBytes = pairBytes + timeBytes + 1
const codeBytes = 17

/** Makes tickets for any node, and takes those for the node `name`. */
export class DetourTickets {
  /** Of the node where those are good that are taken here; empty where there is only one. */
  readonly name: string
  readonly #clock: Clock
  readonly #key: () => Buffer
  /** When the ticket of each participant ends, ms; about in the order in which they end. */
  readonly #used = new Map<string, number>()

  /** By `clock` go all nodes that have the same `key`. */
  constructor(name: string, clock: Clock, key: () => Buffer) {
    this.name = name
    this.#clock = clock
    this.#key = key
  }

  /** The ticket for `participant` at the node of that name, good for so long: 43 characters of base64url. */
  issue({ pair, isHost }: Participant, name: string, lifeMs: number): string {
    const head = Buffer.alloc(headBytes)
    head.write(pair, 'hex')
    head.writeUIntBE(Math.floor(this.#clock.now() + lifeMs), pairBytes, timeBytes)
    head.writeUInt8(isHost ? 1 : 0, pairBytes + timeBytes)
    return Buffer.concat([head, this.#codeOf(head, name)]).toString('base64url')
  }

  /** Whose ticket it is; `null` when it is none, is for another node, was used, or is over. */
  participantOf(ticket: string): Participant | null {
    const read = this.#read(ticket)
    return read === null || this.#used.has(nameOf(read.participant)) ? null : read.participant
  }

  /** Whose it is, which it then was. */
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
    const isHost = head.readUInt8(pairBytes + timeBytes) === 1
    return { participant: { pair: head.toString('hex', 0, pairBytes), isHost }, until }
  }

  /** No pass has the same code: what that is over has a space where this has the `d`. */
  #codeOf(head: Buffer, name: string): Buffer {
    const text = ` detour ${name}`
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
