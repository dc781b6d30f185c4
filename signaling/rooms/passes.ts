/**
 * Passes: by them those whom a host let in, or invited, come again in a lane of their own, whatever
 * strangers do to its nameplate. A pass is good for one owner's nameplate and nothing is kept of it:
 * the server knows its own by their code.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Random } from '#signaling/random'

const idBytes = 16
const codeBytes = 16

/** A good pass by its random half, which lets nobody in. */
export type PassId = string & { readonly brand: 'PassId' }

/** Makes passes and recognizes them, until the process ends or has another key. */
export class Passes {
  #key: Buffer
  readonly #random: Random

  constructor(random: Random) {
    this.#random = random
    this.#key = random.bytes(32)
  }

  /** 32 bytes. Nodes that have the same key take each other's passes. */
  get key(): Buffer {
    return this.#key
  }

  set key(key: Buffer) {
    this.#key = key
  }

  /** Of a pass that nobody has yet. */
  newId(): PassId {
    return this.#random.bytes(idBytes).toString('base64url') as PassId
  }

  /** The pass with this id for the nameplate of `owner`: 43 characters of base64url. */
  issue(nameplate: string, owner: string, passId = this.newId()): string {
    const id = Buffer.from(passId, 'base64url')
    return Buffer.concat([id, this.#codeOf(id, nameplate, owner)]).toString('base64url')
  }

  /** Which pass of this nameplate it is while `owner` has it; `null` for none. */
  idOf(pass: string, nameplate: string, owner: string): PassId | null {
    const bytes = Buffer.from(pass, 'base64url')
    if (bytes.length !== idBytes + codeBytes) return null
    const id = bytes.subarray(0, idBytes)
    const isGood = timingSafeEqual(this.#codeOf(id, nameplate, owner), bytes.subarray(idBytes))
    return isGood ? (id.toString('base64url') as PassId) : null
  }

  #codeOf(id: Buffer, nameplate: string, owner: string): Buffer {
    const text = ` ${nameplate} ${owner}`
    return createHmac('sha256', this.#key).update(id).update(text).digest().subarray(0, codeBytes)
  }
}
