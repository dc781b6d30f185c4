/** A receiver independent of the engine's libraries, as an attacker would write it. */
import { randomBytes } from 'node:crypto'
import { multiply, randomScalar, sessionKey, shareOf } from '../../../../native/tests-js/cpace.js'
import {
  ascii,
  boxData,
  channelOf,
  conclude,
  payloadStart,
  receiverData,
  sealBox,
} from '../../../../native/tests-js/pairing.js'
import { bodyOf, bytesOfBody, field, offsets, payloadTypes } from './payloads'

const nonceBytes = 24
const noHint = new Uint8Array(16)

const lengthPrefixed = (text: string) => Buffer.concat([Uint8Array.of(text.length), ascii(text)])

const description = lengthPrefixed('Eve')

/** One PAKE run with right or wrong words. */
export class FakeReceiver {
  readonly #nameplate: Uint8Array
  readonly #run = randomBytes(16)
  readonly #scalar = randomScalar()
  readonly #own: { readonly share: Uint8Array; readonly data: Uint8Array }
  #outcome: ReturnType<typeof conclude> | null = null
  #counter = 0

  constructor(nameplate: string, words: string) {
    this.#nameplate = ascii(nameplate)
    const channel = channelOf(this.#nameplate)
    const cpace = { secret: ascii(words), channel, session: this.#run }
    this.#own = {
      share: shareOf(this.#scalar, cpace),
      data: receiverData(randomBytes(32), 0, noHint),
    }
  }

  /** Its first payload. */
  get opening(): string {
    const { share, data } = this.#own
    return bodyOf(payloadStart(payloadTypes.pake1, this.#run), share, data)
  }

  /** Its proof, in response to the sender's first payload. */
  prove(answer: string): string {
    const sender = {
      share: field(answer, offsets.share, 32),
      data: bytesOfBody(answer).subarray(50),
    }
    const product = multiply(this.#scalar, sender.share)
    if (product === null) throw new Error("the sender's share is not a valid element")
    const key = sessionKey(this.#run, product, this.#own, sender)
    const run = this.#run
    this.#outcome = conclude({ nameplate: this.#nameplate, run, key, receiver: this.#own, sender })
    const { tag } = this.#outcome.receiver
    return bodyOf(payloadStart(payloadTypes.pake3, run), tag, this.#box(description))
  }

  /** True if this is the proof of a sender with the same words. */
  believes(proof: string): boolean {
    const tag = this.#outcome?.sender.tag
    return tag !== undefined && field(proof, offsets.tag, 64).equals(tag)
  }

  /** A candidate line, which may be any text. */
  candidate(line: string): string {
    const counter = Buffer.alloc(8)
    counter.writeBigUInt64BE(BigInt(this.#counter))
    const start = payloadStart(payloadTypes.sealed, this.#run)
    return bodyOf(start, counter, this.#box(Buffer.concat([Uint8Array.of(1), ascii(line)])))
  }

  #box(message: Uint8Array): Uint8Array {
    if (this.#outcome === null) throw new Error('there is no key yet')
    const nonce = randomBytes(nonceBytes)
    const associated = boxData(2, this.#run, this.#counter)
    this.#counter += 1
    const box = sealBox(this.#outcome.keys['sig r2s'], nonce, associated, message)
    return Buffer.concat([nonce, box])
  }
}
