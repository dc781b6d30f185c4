#!/usr/bin/env node
// check-catalogue.mjs [--fix]: docs/test-catalogue.md has a row for every case id that a test names, and its last column
// names the files that do. With --fix that column is written anew.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './lib/cache.mjs'
import { isMain } from './lib/failure.mjs'
import { listFiles } from './lib/files.mjs'

const catalogue = 'docs/test-catalogue.md'
const tested = /^(e2e|\w+\/tests(-js)?)\/.*\.(tsx?|cc|h)$/
/** Its ids are examples. */
const ownTest = 'scripts/tests/check-catalogue.test.ts'
/** One id with the numbers behind it: "MAN-03, 04", "PATH-01, -02", "PATH-09 to -12". */
const mention = /\b([A-Z]{2,5})-(\d\d)(?!\d)((?:(?:, | to )-?\d\d(?!\d))*)/g
/** Looks like an id and is none: "UTF-16". */
const otherNames = new Set(['UTF'])
/** Id, sentence and files of a line of the catalogue. */
const row = /^\| ([A-Z]+-\d\d) \| (.+?) \|(.*)\|$/

/**
 * The case ids that a text names; ranges are counted out.
 * @param {string} text
 * @returns {string[]}
 */
export function idsIn(text) {
  const found = new Set()
  for (const [, family, first, rest] of text.matchAll(mention)) {
    if (otherNames.has(family)) continue
    let last = Number(first)
    const add = (number) => found.add(`${family}-${String(number).padStart(2, '0')}`)
    add(last)
    for (const [, joint, digits] of rest.matchAll(/(, | to )-?(\d\d)/g)) {
      const next = Number(digits)
      for (let number = joint === ' to ' ? last + 1 : next; number <= next; number += 1) add(number)
      last = next
    }
  }
  return [...found]
}

/** The last column of each id that a test below `dir` names. */
function places(dir) {
  const files = new Map()
  for (const path of listFiles(dir, (each) => tested.test(each) && each !== ownTest)) {
    for (const id of idsIn(readFileSync(join(dir, path), 'utf8'))) {
      files.set(id, [...(files.get(id) ?? []), path])
    }
  }
  return new Map(
    [...files].map(([id, paths]) => [id, paths.map((path) => `\`${path}\``).join(', ')]),
  )
}

/**
 * Sentences about what is wrong with the catalogue of the checkout in `dir`.
 * @param {string} dir
 * @returns {string[]}
 */
export function checkCatalogue(dir) {
  const found = places(dir)
  const problems = []
  const listed = new Set()
  for (const line of readFileSync(join(dir, catalogue), 'utf8').split('\n')) {
    const [, id, , where] = row.exec(line) ?? []
    if (!id) continue
    if (listed.has(id)) problems.push(`${catalogue}: ${id} has two rows: remove one`)
    listed.add(id)
    if (!found.has(id)) problems.push(`${catalogue}: no test names ${id}: remove its row`)
    else if (found.get(id) !== where.trim())
      problems.push(
        `${catalogue}: ${id} is tested in ${found.get(id)}: run npm run catalogue -- --fix`,
      )
  }
  for (const [id, where] of found) {
    if (!listed.has(id)) problems.push(`${where} names ${id}: add a row to ${catalogue}`)
  }
  return problems
}

/** Writes the last column of every row whose id a test names. */
function fix(dir) {
  const found = places(dir)
  const path = join(dir, catalogue)
  const lines = readFileSync(path, 'utf8').split('\n')
  const fixed = lines.map((line) => {
    const [, id, sentence] = row.exec(line) ?? []
    return found.has(id) ? `| ${id} | ${sentence} | ${found.get(id)} |` : line
  })
  writeFileSync(path, fixed.join('\n'))
}

if (isMain(import.meta.url)) {
  if (process.argv.includes('--fix')) fix(root)
  const problems = checkCatalogue(root)
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
}
