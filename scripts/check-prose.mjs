#!/usr/bin/env node
// check-prose.mjs [FILE...]: the rules of docs/writing.md in documents, comments and texts; `--subject FILE` checks the subject of a
// commit message. An exception is a comment `prose-ok: REASON` on the line or on the one before.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { TextlintKernel } from '@textlint/kernel'
import markdown from '@textlint/textlint-plugin-markdown'
import { root } from './lib/cache.mjs'
import { isMain } from './lib/failure.mjs'
import { listFiles } from './lib/files.mjs'
import {
  fragmentRule,
  lengthRule,
  peopleRule,
  phraseRule,
  subjectProblems,
} from './prose/rules.mjs'
import { commentsOf, textsOf } from './prose/sources.mjs'

const comments = /\.(ts|tsx|mjs|cjs|css|cc|h|sh|ya?ml|cmake)$|CMakeLists\.txt$/
const texts = /^(shared|renderer)\/text\/en\/|^cli\/text\/|^electron\/main\/text\/english\.ts$/

const kernel = new TextlintKernel()
const plugins = [{ pluginId: 'markdown', plugin: markdown.default ?? markdown }]
const rulesOfTexts = [
  { ruleId: 'phrase', rule: phraseRule },
  { ruleId: 'length', rule: lengthRule },
]
const rules = [
  ...rulesOfTexts,
  { ruleId: 'people', rule: peopleRule },
  { ruleId: 'fragment', rule: fragmentRule },
]

async function lint(text, rules) {
  const { messages } = await kernel.lintText(text, { ext: '.md', plugins, rules })
  return messages
}

/** Sentences about the prose of one file, each with its line. */
export async function checkProse(path, text) {
  const lines = text.split('\n')
  const excepted = (line) =>
    [line, line - 1].some((each) => /prose-ok: \S/.test(lines[each - 1] ?? ''))
  // The page about writing shows what to avoid.
  if (path === 'docs/writing.md') return []
  const messages = comments.test(path)
    ? [
        ...(await lint(commentsOf(text), rules)),
        ...(texts.test(path) ? await lint(textsOf(text), rulesOfTexts) : []),
      ]
    : await lint(text, rules)
  return messages
    .filter(({ line }) => !excepted(line))
    .map(({ line, message }) => `${path}:${line}: ${message}`)
}

async function main(args) {
  const isProse = (path) => path.endsWith('.md') || comments.test(path)
  const problems =
    args[0] === '--subject'
      ? subjectProblems(readFileSync(args[1], 'utf8').split('\n')[0])
      : (
          await Promise.all(
            (args.length > 0 ? args : listFiles(root, isProse)).map((path) =>
              checkProse(path, readFileSync(join(root, path), 'utf8')),
            ),
          )
        ).flat()
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
}

if (isMain(import.meta.url)) await main(process.argv.slice(2))
