#!/usr/bin/env node
// No hand-written source file is longer than 500 lines; near 300 is what to aim for.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './lib/cache.mjs'
import { isMain } from './lib/failure.mjs'
import { listFiles } from './lib/files.mjs'

const limit = 500
const source = /\.(ts|tsx|js|mjs|cjs|css|html|cc|h|cmake|sh|py|yml)$|CMakeLists\.txt$/

/** Sentences about the files below `dir` that are too long. */
export function checkSizes(dir) {
  return listFiles(dir, (path) => source.test(path)).flatMap((path) => {
    const lines = readFileSync(join(dir, path), 'utf8').trimEnd().split('\n').length
    return lines > limit ? [`${path}: ${lines} lines, at most ${limit}: split it`] : []
  })
}

if (isMain(import.meta.url)) {
  const problems = checkSizes(root)
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
}
