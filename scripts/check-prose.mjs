#!/usr/bin/env node
// check-prose.mjs [FILE...]: the rules of docs/writing.md in documents, comments and texts; `--subject FILE` checks the subject of a
// commit message. An exception is a comment `prose-ok: REASON` on the line or on the one before.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parsers } from 'prettier/plugins/markdown'
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

const rulesOfTexts = [phraseRule, lengthRule]
const rules = [...rulesOfTexts, peopleRule, fragmentRule]

/** The texts within a node, each with its first line; code is masked, since its words are not prose. */
function piecesOf({ type, value, children = [], position }) {
  if (type === 'text') return [{ text: value, line: position.start.line }]
  if (type === 'inlineCode') return [{ text: 'X'.repeat(value.length), line: position.start.line }]
  return children.flatMap(piecesOf)
}

/** The line of the character at an index of the joined pieces. */
function lineAt(pieces, index) {
  let start = 0
  const piece = pieces.find(({ text }) => index < (start += text.length)) ?? pieces.at(-1)
  const before = piece.text.slice(0, index - start + piece.text.length)
  return piece.line + before.split('\n').length - 1
}

function problemsOf(node, rules) {
  const pieces = piecesOf(node)
  const text = pieces.map((each) => each.text).join('')
  return [
    ...rules
      .filter(({ types }) => types.includes(node.type))
      .flatMap(({ check }) => [...check(text)])
      .map(([index, message]) => ({ line: lineAt(pieces, index), message })),
    ...(node.children ?? []).flatMap((child) => problemsOf(child, rules)),
  ]
}

const lint = async (text, rules) => problemsOf(await parsers.markdown.parse(text, {}), rules)

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
