/** Pairing payloads (docs/protocol.md#pairing-payload) as bytes that an attacker can change. */

export const payloadTypes = {
  pake1: 1,
  pake2: 2,
  pake3: 3,
  pake4: 4,
  sealed: 5,
  failure: 6,
} as const

/** Offsets of fields in bytes. */
export const offsets = {
  version: 0,
  type: 1,
  run: 2,
  share: 18,
  /** In proofs. */
  tag: 18,
  /** In sealed payloads. */
  sealedBox: 26,
} as const

export const bytesOfBody = (body: string): Buffer => Buffer.from(body, 'base64url')

export const bodyOf = (...parts: readonly Uint8Array[]): string =>
  Buffer.concat(parts).toString('base64url')

export const typeOf = (body: string): number | undefined => bytesOfBody(body)[offsets.type]

/** The body with one bit of one byte flipped. */
export function flipped(body: string, offset: number): string {
  const bytes = bytesOfBody(body)
  bytes.writeUInt8(bytes.readUInt8(offset) ^ 1, offset)
  return bodyOf(bytes)
}

/** The body with its bytes from `offset` on replaced. */
export function replaced(body: string, offset: number, by: Uint8Array | string): string {
  const bytes = bytesOfBody(body)
  Buffer.from(by).copy(bytes, offset)
  return bodyOf(bytes)
}

export const field = (body: string, offset: number, length: number): Buffer =>
  bytesOfBody(body).subarray(offset, offset + length)

/** A failure payload, which needs no key. */
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
