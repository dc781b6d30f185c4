// What is sent: random data in memory, unless it is about files that are larger than that.
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { GiB, writeFile, writeFiles, writeSparse } from '../lib/trees.mjs'
import { FileDisk } from '../lib/world.mjs'

/** Of a sparse file, the part that is data. */
const sparsePart = 1 / 64

const pageBytes = 4096
/** What the kernel keeps of a file in memory beside its pages. */
const nodeBytes = 1500

const removable = (path) => ({ path, remove: () => rmSync(path, { recursive: true }) })

/**
 * A file of zeros that is read as all others are, but takes no place: what ext4 has reserved and nobody has written reads
 * as zeros, and is no hole.
 */
function writeZeros(name, bytes) {
  const disk = new FileDisk(name, Math.ceil(bytes / GiB) + 1, { isForLargeFiles: true })
  const path = join(disk.path, `${name}.bin`)
  execFileSync('fallocate', ['-l', String(bytes), path])
  return { path, remove: () => disk.remove() }
}

/** Writes `files` of `bytes` each, `source` says of what kind; where they are, and how to `remove` them. */
export function writeSource(memory, { source = 'data', files, bytes }, name = 'source') {
  const path = join(memory, name)
  if (source === 'zeros') return writeZeros(name, bytes)
  if (source === 'sparse') return removable(writeSparse(`${path}.bin`, bytes, bytes * sparsePart))
  return removable(files === 1 ? writeFile(`${path}.bin`, bytes) : writeFiles(path, files, bytes))
}

/** How much memory the files of a source take, in bytes. */
export function memoryOf({ source = 'data', files, bytes }) {
  if (source === 'zeros') return 0
  if (source === 'sparse') return bytes * sparsePart
  return files * (Math.ceil(bytes / pageBytes) * pageBytes + nodeBytes)
}
