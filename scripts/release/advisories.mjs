#!/usr/bin/env node
// advisories.mjs FILE…: asks OSV (https://google.github.io/osv.dev/post-v1-querybatch/) for advisories about what these lists of
// contents (CycloneDX) name; exit code 1 when there is one that accepted-advisories.json doesn't answer.
import { readFileSync } from 'node:fs'
import { Failure, isMain, runMain } from '../lib/failure.mjs'

const service = 'https://api.osv.dev/v1/querybatch'

/** Sources are those of Debian's source packages without its fixes, so a fix of Debian's counts as missing. */
const ecosystem = 'Debian:13'

/** The most pages of an answer; a thousand packages have fewer. */
const mostPages = 50

/** The query about a component of a list; undefined where OSV has no name for it. */
function queryOf({ purl = '', externalReferences = [] }) {
  if (purl.startsWith('pkg:npm/')) return { package: { purl } }
  const source = externalReferences.find(({ type }) => type === 'source-distribution')
  const [, name, version] = /^(.*)_([0-9][^_]*?)\.orig\./.exec(source?.url ?? '') ?? []
  return name && { package: { ecosystem, name }, version: version.replace(/^.*\+really/, '') }
}

/**
 * The queries about the components of all lists, each once, by the component's name and version.
 * @param {readonly { components: readonly object[] }[]} lists
 * @returns {Map<string, object>}
 */
export function queriesOf(lists) {
  const components = lists.flatMap((list) => list.components)
  return new Map(
    components.flatMap((component) => {
      const query = queryOf(component)
      return query ? [[`${component.name} ${component.version}`, query]] : []
    }),
  )
}

/**
 * Identifiers of advisories, by the component's name and version. Throws a Failure when the answer is incomplete.
 * @param {Map<string, object>} queries
 * @returns {Promise<Map<string, string[]>>}
 */
export async function askOsv(queries, url = service) {
  const found = new Map()
  let open = [...queries]
  for (let page = 0; open.length > 0; page += 1) {
    if (page === mostPages)
      throw new Failure('The answer of OSV has too many pages: try again later.')
    const body = JSON.stringify({ queries: open.map(([, query]) => query) })
    const response = await fetch(url, { method: 'POST', body, signal: AbortSignal.timeout(60_000) })
    const { results = [] } = response.ok ? await response.json() : {}
    if (results.length !== open.length)
      throw new Failure(`The answer of OSV is incomplete (${response.status}): try again later.`)
    open = open.flatMap(([name, query], index) => {
      const { vulns = [], next_page_token: next } = results[index]
      found.set(name, [...(found.get(name) ?? []), ...vulns.map(({ id }) => id)])
      return next ? [[name, { ...query, page_token: next }]] : []
    })
  }
  return found
}

/**
 * Sentences about open work: an advisory without an accepted reason, and a reason without an advisory.
 * @param {Map<string, string[]>} found
 * @param {Record<string, string>} accepted reasons by identifier
 */
export function problemsOf(found, accepted) {
  const reported = new Set([...found.values()].flat())
  return [
    ...[...found].flatMap(([name, ids]) =>
      ids
        .filter((id) => !Object.hasOwn(accepted, id))
        .map((id) => `${name}: ${id}, see https://osv.dev/vulnerability/${id}`),
    ),
    ...Object.keys(accepted)
      .filter((id) => !reported.has(id))
      .map((id) => `accepted-advisories.json answers ${id}, which nothing has any more`),
  ]
}

async function main() {
  const files = process.argv.slice(2)
  if (files.length === 0) throw new Failure('advisories.mjs takes lists of contents: *.cdx.json.')
  const queries = queriesOf(files.map((file) => JSON.parse(readFileSync(file, 'utf8'))))
  const accepted = JSON.parse(
    readFileSync(new URL('./accepted-advisories.json', import.meta.url), 'utf8'),
  )
  const problems = problemsOf(await askOsv(queries), accepted)
  for (const problem of problems) console.error(problem)
  console.log(`${queries.size} components asked about, ${problems.length} advisories to answer.`)
  if (problems.length > 0) process.exitCode = 1
}

if (isMain(import.meta.url)) runMain(main)
