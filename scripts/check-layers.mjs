#!/usr/bin/env node
// Checks imports of TypeScript folders and C++ layers against layers.json, and that there are no circular imports.
import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { root } from './lib/cache.mjs'
import { isMain } from './lib/failure.mjs'
import { listFiles } from './lib/files.mjs'

const tsImport = /(?:\bfrom|\bimport|\bimport\s*\(|\brequire\s*\()\s*['"]([^'"]+)['"]/g
const cppInclude = /^[ \t]*#[ \t]*include[ \t]*(["<])([^">]+)[">]/gm

/** The module names that a file imports, exports from or requires, with their line numbers. */
function specifiersOf(text, pattern, group) {
  return [...text.matchAll(pattern)].map((match) => ({
    name: match[group],
    line: text.slice(0, match.index).split('\n').length,
  }))
}

/** The top-level folder of a specifier, or undefined for a package. */
function folderOf(specifier, importer) {
  if (specifier.startsWith('#')) return specifier.slice(1).split('/')[0]
  if (!specifier.startsWith('.')) return undefined
  return posix.join(posix.dirname(importer), specifier).split('/')[0]
}

function startsWithPackage(specifier, name) {
  return /[:/]$/.test(name)
    ? specifier.startsWith(name)
    : specifier === name || specifier.startsWith(`${name}/`)
}

/** Returns a sentence with file, line and edge for each forbidden import of a TypeScript file. */
export function checkTypeScript(path, text, rules) {
  const [home, second] = path.split('/')
  if (!rules.typescript[home]) return []
  const room = `${home}/${second}`
  const rule = { ...rules.typescript[home], ...rules.typescript[room] }
  const isTest = /\/tests(-js)?\//.test(path)
  const folders = [home, ...rule.imports]
  if (isTest) folders.push(...(rule.tests ?? []))
  const problems = []
  for (const { name, line } of specifiersOf(text, tsImport, 1)) {
    const folder = folderOf(name, path)
    if (folder !== undefined) {
      if (!folders.includes(folder))
        problems.push(`${path}:${line}: ${home} may not import ${folder} (${name})`)
      continue
    }
    if (isTest) continue
    const confined = Object.entries(rules.packages).find(([key]) => startsWithPackage(name, key))
    const listed = rule.packages?.some((key) => startsWithPackage(name, key)) ?? true
    if (!listed || (confined && ![home, room].some((each) => confined[1].includes(each)))) {
      problems.push(`${path}:${line}: ${home} may not import the package ${name}`)
    }
  }
  return problems
}

/** Headers that start threads, as files include them. */
const startsThreads = /^(thread|future|pthread\.h|fs\/disk_pool\.h|engine\/engine\.h)$/

/**
 * Returns threads that ThreadSanitizer would miss. It runs all tests of the layers that may start threads, and
 * x_threads_test.cc of the others.
 */
export function checkThreads(path, text, rules) {
  const [, kind, layer] = path.split('/')
  const seen = kind === 'tests' && /_threads_test\.cc$/.test(path)
  if (seen || layer === 'napi' || rules.threads.includes(layer)) return []
  return specifiersOf(text, cppInclude, 2)
    .filter(({ name }) => startsThreads.test(name))
    .map(({ name, line }) => `${path}:${line}: ${layer} may start no threads (${name})`)
}

/** Returns forbidden includes of a C++ file in native/src: edges between layers, and confined headers. */
export function checkCpp(path, text, rules) {
  const layer = path.split('/')[2]
  const allowed = rules.cpp[layer]
  if (!allowed) return [`${path}: ${layer} is not a layer: add it to scripts/layers.json`]
  const problems = []
  for (const { name, line } of specifiersOf(text, cppInclude, 2)) {
    const target = name.split('/')[0]
    if (target !== layer && target in rules.cpp && !allowed.includes(target)) {
      problems.push(`${path}:${line}: ${layer} may not include ${target} (${name})`)
    }
    const confined = Object.entries(rules.headers).find(([prefix]) => name.startsWith(prefix))
    if (confined && !confined[1].includes(layer)) {
      const where = confined[1].length > 0 ? `only in ${confined[1].join(', ')}` : 'nowhere'
      problems.push(`${path}:${line}: ${name} belongs ${where}`)
    }
  }
  return problems
}

const moduleEnds = ['', '.ts', '.tsx', '.d.ts', '/index.ts', '/index.tsx', '/index.d.ts']

/** The file among `paths` that a specifier names; undefined for packages and other files. */
function fileOf(specifier, importer, paths) {
  if (!/^[.#]/.test(specifier)) return undefined
  const target = specifier.startsWith('#')
    ? specifier.slice(1)
    : posix.join(posix.dirname(importer), specifier)
  return moduleEnds.map((end) => target + end).find((path) => paths.has(path))
}

/**
 * Returns the circles of TypeScript files that import each other, even for types only, with their files in order. Of
 * circles that share files, at least one is reported. `texts` maps paths to contents.
 * @param {ReadonlyMap<string, string>} texts
 * @returns {string[]}
 */
export function checkCircles(texts) {
  const problems = []
  const visited = new Set()
  const visit = (path, importers) => {
    const start = importers.indexOf(path)
    if (start >= 0) {
      const circle = [...importers.slice(start), path]
      problems.push(`${path}: imports itself: ${circle.join(' -> ')}`)
    }
    if (visited.has(path)) return
    visited.add(path)
    for (const { name } of specifiersOf(texts.get(path), tsImport, 1)) {
      const imported = fileOf(name, path, texts)
      if (imported !== undefined) visit(imported, [...importers, path])
    }
  }
  for (const path of texts.keys()) visit(path, [])
  return problems
}

/** Checks every hand-written file below `dir`. */
export function checkLayers(dir) {
  const rules = JSON.parse(readFileSync(new URL('./layers.json', import.meta.url), 'utf8'))
  const files = listFiles(dir, (path) => /\.(tsx?|cc|h)$/.test(path) && path.includes('/'))
  const texts = new Map(files.map((path) => [path, readFileSync(join(dir, path), 'utf8')]))
  const circles = checkCircles(new Map([...texts].filter(([path]) => /\.tsx?$/.test(path))))
  const edges = [...texts].flatMap(([path, text]) => {
    if (path.startsWith('native/src/')) {
      return [...checkCpp(path, text, rules), ...checkThreads(path, text, rules)]
    }
    if (path.startsWith('native/tests/')) return checkThreads(path, text, rules)
    return /\.tsx?$/.test(path) ? checkTypeScript(path, text, rules) : []
  })
  return [...edges, ...circles]
}

if (isMain(import.meta.url)) {
  const problems = checkLayers(root)
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
}
