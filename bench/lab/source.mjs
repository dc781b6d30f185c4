// The test data: random bytes in memory.
import { join } from 'node:path'
import { writeFile, writeFiles } from '../lib/trees.mjs'

/** Writes `files` of `bytes` each; returns their path. */
export const writeSource = (memory, { files, bytes }) =>
  files === 1
    ? writeFile(join(memory, 'source.bin'), bytes)
    : writeFiles(join(memory, 'source'), files, bytes)
