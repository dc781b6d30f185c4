/** The CRC-32 of ZIP files. */

const polynomial = 0xedb88320

/** Eight tables of 256 numbers: table `n` has the effect of a byte that `n` others follow. */
const tables = new DataView(new ArrayBuffer(8 * 256 * 4))
const effect = (others: number, byte: number): number =>
  tables.getUint32((others << 10) | ((byte & 255) << 2), true)

for (let byte = 0; byte < 256; byte += 1) {
  let value = byte
  for (let bit = 0; bit < 8; bit += 1) value = (value >>> 1) ^ (value & 1 ? polynomial : 0)
  tables.setUint32(byte << 2, value, true)
}
for (let others = 1; others < 8; others += 1)
  for (let byte = 0; byte < 256; byte += 1) {
    const before = effect(others - 1, byte)
    tables.setUint32((others << 10) | (byte << 2), (before >>> 8) ^ effect(0, before), true)
  }

/** Continues the checksum of earlier bytes. Eight bytes at a time take a third of the time. */
export function crc32(bytes: Uint8Array, before = 0): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  let sum = ~before
  let at = 0
  for (; at + 8 <= bytes.length; at += 8) {
    const low = sum ^ view.getUint32(at, true)
    const high = view.getUint32(at + 4, true)
    const ofLow =
      effect(7, low) ^ effect(6, low >>> 8) ^ effect(5, low >>> 16) ^ effect(4, low >>> 24)
    const ofHigh = effect(3, high) ^ effect(2, high >>> 8) ^ effect(1, high >>> 16)
    sum = ofLow ^ ofHigh ^ effect(0, high >>> 24)
  }
  for (; at < bytes.length; at += 1) sum = (sum >>> 8) ^ effect(0, sum ^ view.getUint8(at))
  return ~sum >>> 0
}
