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

/** Where fields are, in bytes from the beginning. */
export const offsets = {
  version: 0,
  type: 1,
  run: 2,
  /** The tag of a proof. */
  tag: 18,
  /** What is encrypted in a sealed payload. */
  sealedBox: 26,
} as const

const bytesOfBody = (body: string): Buffer => Buffer.from(body, 'base64url')

const bodyOf = (...parts: readonly Uint8Array[]): string =>
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

/** A failure, which nobody needs a key for. */
export const failureOf = (body: string, code: string): string =>
  bodyOf(
    Uint8Array.of(2, payloadTypes.failure),
    bytesOfBody(body).subarray(offsets.run, offsets.run + 16),
    new TextEncoder().encode(code),
  )
