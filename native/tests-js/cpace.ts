/**
 * A second implementation of CPace (draft-irtf-cfrg-cpace-21, CPACE-RISTR255-SHA512,
 * initiator-responder) on other libraries, to check the engine.
 */
import { randomBytes } from 'node:crypto'
import { ristretto255, ristretto255_hasher as hasher } from '@noble/curves/ed25519.js'
import { sha512 } from '@noble/hashes/sha2.js'

const { Point } = ristretto255
const groupOrder = Point.Fn.ORDER
const hashBlockBytes = 128
const ascii = (text: string) => new TextEncoder().encode(text)
const group = ascii('CPaceRistretto255')

/** The inputs of both sides. */
export type CpaceInput = {
  readonly secret: Uint8Array
  readonly channel: Uint8Array
  readonly session: Uint8Array
}

/** A message of one side. */
export type CpaceMessage = { readonly share: Uint8Array; readonly data: Uint8Array }

const prependLength = (part: Uint8Array): Uint8Array => {
  const length: number[] = []
  let rest = part.length
  for (; rest > 127; rest = Math.floor(rest / 128)) length.push((rest % 128) + 128)
  return Uint8Array.from([...length, rest, ...part])
}

/** `lv_cat` of the draft. */
export const lvCat = (...parts: readonly Uint8Array[]): Uint8Array =>
  Buffer.concat(parts.map(prependLength))

/** `generator_string` of the draft. */
export const generatorString = ({ secret, channel, session }: CpaceInput): Uint8Array => {
  const used = 1 + prependLength(secret).length + prependLength(group).length
  const padding = new Uint8Array(Math.max(0, hashBlockBytes - used))
  return lvCat(group, secret, padding, channel, session)
}

const generatorOf = (input: CpaceInput) => {
  const element = hasher.deriveToCurve?.(sha512(generatorString(input)))
  if (element === undefined) throw new Error('the library has no element derivation')
  return element
}

/** The encoded generator. */
export const generator = (input: CpaceInput): Uint8Array => generatorOf(input).toBytes()

/** A scalar of 32 little-endian bytes. */
export const scalarOf = (bytes: Uint8Array): bigint =>
  BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`)

/** A random scalar from 1 to the group's order minus one. */
export const randomScalar = (): bigint => 1n + (scalarOf(randomBytes(64)) % (groupOrder - 1n))

/** `scalar_mult` of the draft. */
export const shareOf = (scalar: bigint, input: CpaceInput): Uint8Array =>
  generatorOf(input).multiply(scalar).toBytes()

/** `scalar_mult_vfy` of the draft; `null` is the identity, with which a run ends. */
export const multiply = (scalar: bigint, element: Uint8Array): Uint8Array | null => {
  try {
    const product = Point.fromBytes(element).multiply(scalar)
    // The library decodes and encodes the identity like any element.
    return product.equals(Point.ZERO) ? null : product.toBytes()
  } catch {
    return null
  }
}

/** ISK of the sent messages: `transcript_ir` of the draft. */
export const sessionKey = (
  session: Uint8Array,
  product: Uint8Array,
  initiator: CpaceMessage,
  responder: CpaceMessage,
): Uint8Array =>
  sha512(
    lvCat(
      ascii('CPaceRistretto255_ISK'),
      session,
      product,
      ...[initiator, responder].flatMap(({ share, data }) => [share, data]),
    ),
  )
