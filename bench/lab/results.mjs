// Where results are kept: for each a JSON file with every run, a page and a plot.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../scripts/lib/cache.mjs'
import { Failure } from '../../scripts/lib/failure.mjs'
import { plot } from './plot.mjs'
import { page } from './table.mjs'

export const resultsFolder = join(root, 'bench', 'results')

/** Raised when files of older versions of this program can't be read the same way. */
export const resultFormat = 1

/** "wan-0123abcd"; "changed" stands in for a path or files of one's own. */
export const nameOf = ({ scenario, isChanged, commit }) =>
  [scenario, isChanged && 'changed', commit].filter(Boolean).join('-')

/** Writes a result; the path of its page. */
export function keep(result, folder = resultsFolder) {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, nameOf(result))
  writeFileSync(`${path}.json`, `${JSON.stringify(result, undefined, 2)}\n`)
  writeFileSync(`${path}.md`, page(result))
  writeFileSync(`${path}.svg`, plot(result))
  return `${path}.md`
}

/** A kept result by its name, as "wan-0123abcd", or by the path of its JSON file. */
export function readResult(name, folder = resultsFolder) {
  const path = name.endsWith('.json') ? name : join(folder, `${name}.json`)
  let result
  try {
    result = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new Failure(`${path} can't be read as a result: ${error.message}.`)
  }
  if (result?.format !== resultFormat)
    throw new Failure(`${path} is no result of this version of the laboratory. Measure it again.`)
  return result
}
