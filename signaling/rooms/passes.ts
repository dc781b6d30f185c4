/**
 * Passes let admitted or invited receivers return through a separate lane, whatever strangers do to
 * the nameplate. A pass is valid for one owner's nameplate, and the server stores none: it recognizes
 * its own by their authentication code.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Random } from '#signaling/random'

const idBytes = 16
const codeBytes = 16

/** The random half of a valid pass, which alone admits no one. */
export type PassId = string & { readonly brand: 'PassId' }

/** Makes passes and recognizes them, until the process ends or its key changes. */
export class Passes {
  #key: Buffer
  readonly #random: Random

  constructor(random: Random) {
    this.#random = random
    this.#key = random.bytes(32)
  }

  /** 32 bytes. Nodes with the same key accept each other's passes. */
  get key(): Buffer {
    return this.#key
  }

  set key(key: Buffer) {
    this.#key = key
  }

  /** The id of a new pass. */
  newId(): PassId {
    return this.#random.bytes(idBytes).toString('base64url') as PassId
  }

  /** The pass with this id for the nameplate of `owner`: 43 characters of base64url. */
  issue(nameplate: string, owner: string, passId = this.newId()): string {
    const id = Buffer.from(passId, 'base64url')
    return Buffer.concat([id, this.#codeOf(id, nameplate, owner)]).toString('base64url')
  }

  /** The id of this pass for the nameplate while `owner` has it; `null` if it is invalid. */
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
