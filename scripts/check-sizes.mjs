#!/usr/bin/env node
// No hand-written source file is longer than 500 lines; near 300 is what to aim for. What compilers leave behind doesn't
// belong into the checkout.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './lib/cache.mjs'
import { isMain } from './lib/failure.mjs'
import { listFiles } from './lib/files.mjs'

const limit = 500
const source = /\.(ts|tsx|js|mjs|cjs|css|html|cc|h|cmake|sh|py|yml)$|CMakeLists\.txt$/

const compiled = /\.(o|obj|a|lib|so|dylib|dll|exe|node)$|(^|\/)a\.out$/

/** Sentences about the files below `dir` that are too long, or that a compiler made. */
export function checkSizes(dir) {
  return listFiles(dir, (path) => source.test(path) || compiled.test(path)).flatMap((path) => {
    if (compiled.test(path)) return [`${path}: made by a compiler: remove it, also from the commit`]
    const lines = readFileSync(join(dir, path), 'utf8').trimEnd().split('\n').length
    return lines > limit ? [`${path}: ${lines} lines, at most ${limit}: split it`] : []
  })
}

if (isMain(import.meta.url)) {
  const problems = checkSizes(root)
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
}
