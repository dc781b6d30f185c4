// The data that is sent: random bytes in memory.
import { join } from 'node:path'
import { writeFile, writeFiles } from '../lib/trees.mjs'

/** Writes `files` of `bytes` each; where they are. */
export const writeSource = (memory, { files, bytes }) =>
  files === 1
    ? writeFile(join(memory, 'source.bin'), bytes)
    : writeFiles(join(memory, 'source'), files, bytes)
