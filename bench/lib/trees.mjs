// Creates test data: folders of small files, and large files with or without holes.
import { randomFillSync } from 'node:crypto'
import { closeSync, ftruncateSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'

export const KiB = 1024
export const MiB = 1024 * KiB
export const GiB = 1024 * MiB

const filesPerFolder = 100

/** Writes `count` files of `bytes` each, 100 per folder. */
export function writeFiles(folder, count, bytes) {
  const content = randomFillSync(Buffer.allocUnsafe(bytes))
  for (let index = 0; index < count; index += 1) {
    const below = join(folder, String(Math.floor(index / filesPerFolder)))
    if (index % filesPerFolder === 0) mkdirSync(below, { recursive: true })
    if (bytes >= 4) content.writeUInt32LE(index)
    writeFileSync(join(below, `${index}.bin`), content)
  }
  return folder
}

/** Writes one file without holes. */
export function writeFile(path, bytes) {
  const block = randomFillSync(Buffer.allocUnsafe(MiB))
  const file = openSync(path, 'w')
  for (let at = 0; at < bytes; at += MiB) {
    block.writeBigUInt64LE(BigInt(at))
    writeSync(file, block, 0, Math.min(MiB, bytes - at))
  }
  closeSync(file)
  return path
}

/** Writes one file of `bytes` with `data` bytes of data, in evenly spaced blocks of 8 MiB. */
export function writeSparse(path, bytes, data) {
  const step = 8 * MiB
  const block = randomFillSync(Buffer.allocUnsafe(step))
  const file = openSync(path, 'w')
  ftruncateSync(file, bytes)
  const pieces = data / step
  for (let piece = 0; piece < pieces; piece += 1) {
    block.writeUInt32LE(piece)
    writeSync(file, block, 0, step, Math.floor((piece * bytes) / pieces / step) * step)
  }
  closeSync(file)
  return path
}
