#!/usr/bin/env node
// publish.mjs [NAME...]: makes results those of the project. Each name is that of a scenario, of which the newest result is
// taken, or of one result; then the documents that show published results are written anew.
import { readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from '../../scripts/lib/cache.mjs'
import { isMain, runMain } from '../../scripts/lib/failure.mjs'
import { keep, newestRun, publishedFolder, readPublished } from './results.mjs'
import { filled, shownIn } from './sections.mjs'

/** Documents with sections that are written here, by their place in the checkout. */
export const documents = ['README.md', join('docs', 'performance.md')]

/** A document as it should be, by the results that are published. */
export const documentNow = (path) =>
  filled(
    readFileSync(join(root, path), 'utf8'),
    (name) => readPublished(name),
    relative(join(root, path, '..'), publishedFolder).replaceAll('\\', '/'),
  )

async function main(names) {
  for (const name of names) {
    const result = newestRun(name)
    console.log(keep(result, publishedFolder, result.scenario, ['json']))
  }
  for (const path of documents) {
    const { results, plots } = shownIn(readFileSync(join(root, path), 'utf8'))
    for (const name of [...results, ...plots].filter((each) => readPublished(each)))
      keep(
        readPublished(name),
        publishedFolder,
        name,
        plots.includes(name) ? ['json', 'svg'] : ['json'],
      )
    writeFileSync(join(root, path), documentNow(path))
  }
}

if (isMain(import.meta.url)) runMain(() => main(process.argv.slice(2)))
