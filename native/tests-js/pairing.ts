/**
 * A second implementation of pairing (docs/protocol.md#pairing) on other libraries, to check the
 * vectors.
 */
import { createCipheriv, createDecipheriv } from 'node:crypto'
import { expand, extract } from '@noble/hashes/hkdf.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256, sha512 } from '@noble/hashes/sha2.js'
import { type CpaceMessage, lvCat, multiply, scalarOf, sessionKey, shareOf } from './cpace.js'

export const ascii = (text: string): Uint8Array => new TextEncoder().encode(text)
const label = ascii('thru/1 pair')
const version = 2
const tagBytes = 16

export type PairingInput = {
  readonly nameplate: Uint8Array
  readonly kind: number
  /** PRS: the words, or the digits of a key. */
  readonly secret: Uint8Array
  readonly run: Uint8Array
  /** The sender's contribution to a unique run. */
  readonly session: Uint8Array
  /** The guess of an earlier run with the same words. */
  readonly earlier?: Uint8Array
  readonly receiver: { readonly scalar: Uint8Array; readonly fingerprint: Uint8Array }
  readonly sender: { readonly scalar: Uint8Array; readonly fingerprint: Uint8Array }
}

const keyLabels = ['sig r2s', 'sig s2r', 'bind r', 'bind s', 'resume'] as const

export type PairingOutput = {
  readonly channel: Uint8Array
  readonly receiver: CpaceMessage & { readonly tag: Uint8Array }
  readonly sender: CpaceMessage & { readonly tag: Uint8Array }
  readonly key: Uint8Array
  readonly transcript: Uint8Array
  /** The name of the receiver's tag if it is wrong. */
  readonly guess: Uint8Array
  readonly keys: Readonly<Record<(typeof keyLabels)[number], Uint8Array>>
  readonly ice: Readonly<Record<'receiver' | 'sender', IceCredentials>>
  readonly safety: string
}

type IceCredentials = { readonly ufrag: string; readonly pwd: string }

const ufragDigits = 8

const iceOf = (secret: Uint8Array): IceCredentials => {
  const digits = Buffer.from(secret).toString('hex')
  return { ufrag: digits.slice(0, ufragDigits), pwd: digits.slice(ufragDigits) }
}

const hintOf = ({ kind, secret, run }: PairingInput): Uint8Array =>
  kind === 0
    ? new Uint8Array(16)
    : hmac(sha256, secret, Buffer.concat([ascii('hint'), run])).subarray(0, 16)

/** CI of CPace: the channel identifier. */
export const channelOf = (nameplate: Uint8Array): Uint8Array =>
  lvCat(label, ascii('recv'), ascii('send'), nameplate)

/** ADa of CPace: the receiver's associated data. */
export const receiverData = (
  fingerprint: Uint8Array,
  kind: number,
  hint: Uint8Array,
  ...earlier: readonly Uint8Array[]
): Uint8Array => lvCat(label, ascii('recv'), fingerprint, Uint8Array.of(kind), hint, ...earlier)

/** The messages of a run, and the resulting key. */
export type RunMessages = Pick<PairingOutput, 'key'> &
  Pick<PairingInput, 'nameplate' | 'run'> & {
    readonly receiver: CpaceMessage
    readonly sender: CpaceMessage
  }

/** The values derived from a run's messages and key. */
export const conclude = ({ nameplate, run, key, receiver, sender }: RunMessages) => {
  const macKey = sha512(Buffer.concat([ascii('CPaceMac'), run, key]))
  const tagOf = ({ share, data }: CpaceMessage) => hmac(sha512, macKey, lvCat(share, data))
  const transcript = sha512(
    lvCat(label, nameplate, run, receiver.share, receiver.data, sender.share, sender.data),
  )
  const guess = sha512(lvCat(label, ascii('guess'), transcript, tagOf(receiver)))
  const root = extract(sha512, key, ascii('thru/1 pair keys'))
  const expanded = (name: string, length: number) =>
    expand(sha512, root, Buffer.concat([ascii(name), transcript]), length)
  return {
    receiver: { ...receiver, tag: tagOf(receiver) },
    sender: { ...sender, tag: tagOf(sender) },
    transcript,
    guess,
    keys: Object.fromEntries(
      keyLabels.map((name) => [name, expanded(name, 32)]),
    ) as PairingOutput['keys'],
    ice: { receiver: iceOf(expanded('ice r', 20)), sender: iceOf(expanded('ice s', 20)) },
    safety: String(Buffer.from(expanded('verify', 4)).readUInt32BE() % 1_000_000).padStart(6, '0'),
  }
}

/** The complete output for the inputs of both sides. */
export const pair = (input: PairingInput): PairingOutput => {
  const { nameplate, secret, run, session, kind } = input
  const channel = channelOf(nameplate)
  const cpace = { secret, channel, session: run }
  const scalars = [input.receiver, input.sender].map(({ scalar }) => scalarOf(scalar))
  const [receiverScalar = 0n, senderScalar = 0n] = scalars
  const receiver = {
    share: shareOf(receiverScalar, cpace),
    data: receiverData(
      input.receiver.fingerprint,
      kind,
      hintOf(input),
      ...(input.earlier === undefined ? [] : [input.earlier]),
    ),
  }
  const sender = {
    share: shareOf(senderScalar, cpace),
    data: lvCat(label, ascii('send'), input.sender.fingerprint, session),
  }
  const product = multiply(receiverScalar, sender.share)
  if (product === null) throw new Error('the shares of the vectors are none')
  const key = sessionKey(run, product, receiver, sender)
  return { channel, key, ...conclude({ nameplate, run, key, receiver, sender }) }
}

/** The beginning of every payload. */
export const payloadStart = (type: number, run: Uint8Array): Uint8Array =>
  Uint8Array.from([version, type, ...run])

const rotate = (value: number, bits: number) => (value << bits) | (value >>> (32 - bits))

/** HChaCha20 (draft-irtf-cfrg-xchacha). */
const hChaCha20 = (key: Uint8Array, nonce: Uint8Array): Uint8Array => {
  const input = Buffer.concat([ascii('expand 32-byte k'), key, nonce])
  const words = Uint32Array.from({ length: 16 }, (_, index) => input.readUInt32LE(4 * index))
  const at = (index: number) => words[index] ?? 0
  const step = (a: number, b: number, d: number, bits: number) => {
    words[a] = at(a) + at(b)
    words[d] = rotate(at(d) ^ at(a), bits)
  }
  const quarterRound = (a: number, b: number, c: number, d: number) => {
    step(a, b, d, 16)
    step(c, d, b, 12)
    step(a, b, d, 8)
    step(c, d, b, 7)
  }
  for (let round = 0; round < 10; round++) {
    for (const column of [0, 1, 2, 3]) quarterRound(column, column + 4, column + 8, column + 12)
    for (const column of [0, 1, 2, 3])
      quarterRound(column, 4 + ((column + 1) % 4), 8 + ((column + 2) % 4), 12 + ((column + 3) % 4))
  }
  const output = Buffer.alloc(32)
  ;[0, 1, 2, 3, 12, 13, 14, 15].forEach((from, to) => output.writeUInt32LE(at(from), 4 * to))
  return output
}

/** The key and nonce of ChaCha20, derived from those of XChaCha20. */
export const chaChaOf = (key: Uint8Array, nonce: Uint8Array) => ({
  key: hChaCha20(key, nonce.subarray(0, 16)),
  nonce: Buffer.concat([Buffer.alloc(4), nonce.subarray(16)]),
})

/** Associated data of a box made by the side with this role (1 sender, 2 receiver). */
export const boxData = (role: 1 | 2, run: Uint8Array, counter: number): Uint8Array => {
  const end = Buffer.alloc(8)
  end.writeBigUInt64BE(BigInt(counter))
  return Buffer.concat([Uint8Array.of(version, role), run, end])
}

/** The box without its nonce. */
export const sealBox = (
  key: Uint8Array,
  nonce: Uint8Array,
  associated: Uint8Array,
  message: Uint8Array,
): Uint8Array => {
  const inner = chaChaOf(key, nonce)
  const cipher = createCipheriv('chacha20-poly1305', inner.key, inner.nonce, {
    authTagLength: tagBytes,
  })
  cipher.setAAD(associated, { plaintextLength: message.length })
  return Buffer.concat([cipher.update(message), cipher.final(), cipher.getAuthTag()])
}

/** Throws unless the box was made with exactly these arguments. */
export const openBox = (
  key: Uint8Array,
  nonce: Uint8Array,
  associated: Uint8Array,
  box: Uint8Array,
): Uint8Array => {
  const inner = chaChaOf(key, nonce)
  const cipher = createDecipheriv('chacha20-poly1305', inner.key, inner.nonce, {
    authTagLength: tagBytes,
  })
  cipher.setAAD(associated, { plaintextLength: box.length - tagBytes })
  cipher.setAuthTag(box.subarray(-tagBytes))
  return Buffer.concat([cipher.update(box.subarray(0, -tagBytes)), cipher.final()])
}
