#!/usr/bin/env node
// Checks that no source file exceeds 500 lines (aim for about 300), and that the checkout has no compiler output.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './lib/cache.mjs'
import { isMain } from './lib/failure.mjs'
import { listFiles } from './lib/files.mjs'

const limit = 500
const source = /\.(ts|tsx|js|mjs|cjs|css|html|cc|h|cmake|sh|py|yml)$|CMakeLists\.txt$/

const compiled = /\.(o|obj|a|lib|so|dylib|dll|exe|node)$|(^|\/)a\.out$/

/** Returns sentences about files below `dir` that are too long or that a compiler made. */
export function checkSizes(dir) {
  return listFiles(dir, (path) => source.test(path) || compiled.test(path)).flatMap((path) => {
    if (compiled.test(path)) return [`${path}: compiler output: remove it, also from the commit`]
    const lines = readFileSync(join(dir, path), 'utf8').trimEnd().split('\n').length
    return lines > limit ? [`${path}: ${lines} lines, at most ${limit}: split it`] : []
  })
}

if (isMain(import.meta.url)) {
  const problems = checkSizes(root)
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
}
