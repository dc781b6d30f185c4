// Results are saved in a folder that git ignores: a JSON file with every run, and a page.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../scripts/lib/cache.mjs'
import { Failure } from '../../scripts/lib/failure.mjs'
import { partsFormat, partsPage } from './parts.mjs'
import { page } from './table.mjs'

export const runsFolder = join(root, 'bench', 'results', 'runs')

/** Incremented when files of older versions can't be read the same way. */
export const resultFormat = 1

/** Functions that draw the page of a result, by its format. */
const pages = {
  [resultFormat]: page,
  [partsFormat]: partsPage,
}

/** Returns a name such as "wan-0123abcd"; "changed" marks a nonstandard path or files. */
export const nameOf = ({ scenario, isChanged, commit }) =>
  [scenario, isChanged && 'changed', commit].filter(Boolean).join('-')

/** Returns a result as a page for people. */
export const pageOf = (result) => pages[result.format](result)

/** The fields of a result that hold lists. */
const lists = ['tools', 'parts']

/** Formats JSON with a line for each tool or part. */
function asJson(value) {
  if (Array.isArray(value) && typeof value[0] === 'object')
    return `[\n${value.map(asJson).join(',\n')}\n]`
  if (!lists.some((name) => value?.[name])) return JSON.stringify(value)
  const known = Object.entries(value).filter(([, each]) => each !== undefined)
  return `{\n${known.map(([name, each]) => `"${name}": ${asJson(each)}`).join(',\n')}\n}`
}

/** Writes a result and its page; returns the page's path. */
export function keep(result, folder = runsFolder) {
  mkdirSync(folder, { recursive: true })
  const path = (form) => join(folder, `${nameOf(result)}.${form}`)
  writeFileSync(path('md'), pageOf(result))
  writeFileSync(path('json'), `${asJson(result)}\n`)
  return path('md')
}

function read(path) {
  let result
  try {
    result = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new Failure(`${path} can't be read as a result: ${error.message}.`)
  }
  if (!Object.hasOwn(pages, result?.format))
    throw new Failure(`${path} is not a result of this version. Measure again.`)
  return result
}

/** Reads a saved result by its name, such as "wan-0123abcd", or by the path of its JSON file. */
export const readResult = (name, folder = runsFolder) =>
  read(name.endsWith('.json') ? name : join(folder, `${name}.json`))
