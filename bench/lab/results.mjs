// Where results are kept: for each a JSON file with every run, a page and, of most, a plot. Those of this computer stay in a folder
// that git ignores. A published one has the name of its scenario and no page; it has a plot if a document shows that.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../scripts/lib/cache.mjs'
import { Failure } from '../../scripts/lib/failure.mjs'
import { growthFormat, growthPage } from './growth/page.mjs'
import { growthPlot } from './growth/plot.mjs'
import { partsFormat, partsPage } from './parts.mjs'
import { plot } from './plot.mjs'
import { page } from './table.mjs'

export const publishedFolder = join(root, 'bench', 'results')
export const runsFolder = join(publishedFolder, 'runs')

/** Raised when files of older versions of this program can't be read the same way. */
export const resultFormat = 1

/** What is made of a result, by its format. */
const views = {
  [resultFormat]: { page, plot },
  [growthFormat]: { page: growthPage, plot: growthPlot },
  [partsFormat]: { page: partsPage },
}

/** "wan-0123abcd"; "changed" stands in for a path or files of one's own. */
export const nameOf = ({ scenario, isChanged, commit }) =>
  [scenario, isChanged && 'changed', commit].filter(Boolean).join('-')

/** A result as a page for people. */
export const pageOf = (result) => views[result.format].page(result)

/** The fields of a result, or of a point of a growth, that hold lists. */
const lists = ['points', 'tools', 'parts']

/** JSON with a line for each tool or part. */
function asJson(value) {
  if (Array.isArray(value) && typeof value[0] === 'object')
    return `[\n${value.map(asJson).join(',\n')}\n]`
  if (!lists.some((name) => value?.[name])) return JSON.stringify(value)
  const known = Object.entries(value).filter(([, each]) => each !== undefined)
  return `{\n${known.map(([name, each]) => `"${name}": ${asJson(each)}`).join(',\n')}\n}`
}

const endings = ['md', 'json', 'svg']

/** Writes a result in the forms of these endings, as far as it has them; the path of the first. */
export function keep(result, folder = runsFolder, name = nameOf(result), forms = endings) {
  mkdirSync(folder, { recursive: true })
  const view = views[result.format]
  const texts = { json: () => `${asJson(result)}\n`, md: view.page, svg: view.plot }
  const path = (form) => join(folder, `${name}.${form}`)
  for (const form of forms.filter((each) => texts[each]))
    writeFileSync(path(form), texts[form](result))
  return path(forms[0])
}

function read(path) {
  let result
  try {
    result = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new Failure(`${path} can't be read as a result: ${error.message}.`)
  }
  if (!Object.hasOwn(views, result?.format))
    throw new Failure(`${path} is no result of this version of the laboratory. Measure it again.`)
  return result
}

/** The names of results in a folder, which may not have been made yet. */
const namesIn = (folder) =>
  existsSync(folder)
    ? readdirSync(folder).flatMap((file) => (file.endsWith('.json') ? [file.slice(0, -5)] : []))
    : []

/** A kept result by its name, as "wan-0123abcd", or a published one, as "wan", or by the path of its JSON file. */
export function readResult(name, ...others) {
  if (name.endsWith('.json')) return read(name)
  const folders = others.length > 0 ? others : [runsFolder, publishedFolder]
  const folder = folders.find((each) => namesIn(each).includes(name)) ?? folders[0]
  return read(join(folder, `${name}.json`))
}

/** The published result of a scenario, if there is one. */
export const readPublished = (scenario, folder = publishedFolder) =>
  namesIn(folder).includes(scenario) ? read(join(folder, `${scenario}.json`)) : undefined

/** The newest result of a scenario that was measured as it stands, or the result of that name. */
export function newestRun(name, folder = runsFolder) {
  const results = namesIn(folder)
    .filter((each) => each === name || each.startsWith(`${name}-`))
    .map((each) => read(join(folder, `${each}.json`)))
    .filter((result) => nameOf(result) === name || result.scenario === name)
    .filter(({ isChanged }) => !isChanged)
  const newest = results.sort((a, b) => a.date.localeCompare(b.date)).at(-1)
  if (!newest) throw new Failure(`There is no result of "${name}": npm run bench -- ${name}`)
  return newest
}
