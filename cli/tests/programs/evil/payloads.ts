/** Pairing payloads (docs/protocol.md#pairing-payload) as an attacker sees them: bytes to change. */

/** The types of payloads. */
export const payloadTypes = {
  pake1: 1,
  pake2: 2,
  pake3: 3,
  pake4: 4,
  sealed: 5,
  failure: 6,
} as const

/** Where fields are, in bytes from the beginning; those of ADa and ADb are as long in both. */
export const offsets = {
  version: 0,
  type: 1,
  run: 2,
  share: 18,
  /** The first letter of `recv` or `send`. */
  role: 63,
  fingerprint: 68,
  /** Of ADa. */
  kind: 101,
  hint: 103,
  /** Of ADb. */
  session: 101,
  /** Offsets in proofs. */
  tag: 18,
  proofBox: 82,
  /** Offsets in sealed payloads. */
  counter: 18,
  sealedBox: 26,
} as const

export const bytesOfBody = (body: string): Buffer => Buffer.from(body, 'base64url')

export const bodyOf = (...parts: readonly Uint8Array[]): string =>
  Buffer.concat(parts).toString('base64url')

export const typeOf = (body: string): number | undefined => bytesOfBody(body)[offsets.type]

/** The body with one bit of one byte turned. */
export function flipped(body: string, offset: number): string {
  const bytes = bytesOfBody(body)
  bytes.writeUInt8(bytes.readUInt8(offset) ^ 1, offset)
  return bodyOf(bytes)
}

/** The body with other bytes from an offset on. */
export function replaced(body: string, offset: number, by: Uint8Array | string): string {
  const bytes = bytesOfBody(body)
  Buffer.from(by).copy(bytes, offset)
  return bodyOf(bytes)
}

/** Bytes of a body from an offset on. */
export const field = (body: string, offset: number, length: number): Buffer =>
  bytesOfBody(body).subarray(offset, offset + length)

/** A failure, which nobody needs a key for. */
export const failureOf = (body: string, code: string): string =>
  bodyOf(
    Uint8Array.of(2, payloadTypes.failure),
    field(body, offsets.run, 16),
    new TextEncoder().encode(code),
  )

/** The error code of a failure; `undefined` for other payloads. */
export const failureCodeOf = (body: string): string | undefined =>
  typeOf(body) === payloadTypes.failure
    ? bytesOfBody(body).subarray(offsets.share).toString()
    : undefined
