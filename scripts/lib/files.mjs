// The hand-written files of the checkout.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const generated = new Set(['.git', 'node_modules', 'out', 'dist', 'coverage'])
const generatedPaths = new Set(['native/build', 'test-results', 'playwright-report'])

/** Paths below `root`, with forward slashes, of hand-written files for which `wanted(path)` is true. */
export function listFiles(root, wanted, folder = '') {
  const found = []
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = folder ? `${folder}/${entry.name}` : entry.name
    if (entry.isDirectory()) {
      if (!generated.has(entry.name) && !generatedPaths.has(path)) {
        found.push(...listFiles(root, wanted, path))
      }
    } else if (entry.isFile() && wanted(path)) {
      found.push(path)
    }
  }
  return found.sort()
}
