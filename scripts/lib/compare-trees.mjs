// Compares two folders that should be identical, and locates the differences in each file.
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { capture } from './run.mjs'

/** A build's own logs, caches and locks; packages and their inputs. */
const notBuilt = /^(cache|test-reports|packages?|npm\.log)(\/|$)/

/** Paths below `folder`; folders end with a slash. */
function pathsOf(folder, below = '') {
  return readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const path = below ? `${below}/${entry.name}` : entry.name
    if (notBuilt.test(path)) return []
    return entry.isDirectory() ? [`${path}/`, ...pathsOf(folder, path)] : [path]
  })
}

/** Names of the differing sections of an ELF file; empty for other files. */
function differentSections(a, b) {
  const sections = (file) => {
    const table = capture('readelf', ['-SW', file]) ?? ''
    const rows = table.matchAll(/^ *\[ *\d+\] (\.\S+) +\S+ +\S+ +([0-9a-f]+) ([0-9a-f]+)/gm)
    const bytes = readFileSync(file)
    return new Map(
      [...rows].map(([, name, offset, size]) => {
        const start = parseInt(offset, 16)
        return [name, bytes.subarray(start, start + parseInt(size, 16))]
      }),
    )
  }
  const [first, second] = [sections(a), sections(b)]
  return [...new Set([...first.keys(), ...second.keys()])].filter((name) => {
    const [one, other] = [first.get(name), second.get(name)]
    return one === undefined || other === undefined || !one.equals(other)
  })
}

/** The text around the first differing byte, with dots for unprintable bytes. */
function around(bytes, at) {
  const part = bytes.subarray(Math.max(0, at - 24), at + 40).toString('latin1')
  return part.replace(/[^ -~]/g, '.')
}

function contentDifference(a, b) {
  const [first, second] = [readFileSync(a), readFileSync(b)]
  if (first.equals(second)) return undefined
  let at = 0
  while (at < first.length && first[at] === second[at]) at++
  const sections = differentSections(a, b)
  const where = sections.length > 0 ? `in ${sections.join(' ')}, ` : ''
  return `${where}from byte ${at} of ${first.length} and ${second.length}: "${around(first, at)}" and "${around(second, at)}"`
}

/** Describes the difference of a path that both folders have, or returns undefined. */
function difference(a, b, metadata) {
  const [first, second] = [lstatSync(a), lstatSync(b)]
  if ((first.mode ^ second.mode) >> 12) return 'different file types'
  if (first.isSymbolicLink())
    return readlinkSync(a) === readlinkSync(b) ? undefined : 'different targets'
  if (metadata && first.mode !== second.mode)
    return `mode ${(first.mode & 0o7777).toString(8)} and ${(second.mode & 0o7777).toString(8)}`
  if (metadata && Math.trunc(first.mtimeMs / 1000) !== Math.trunc(second.mtimeMs / 1000))
    return `time ${first.mtime.toISOString()} and ${second.mtime.toISOString()}`
  return first.isFile() ? contentDifference(a, b) : undefined
}

/**
 * Compares two folders, with modes and times if `metadata`. Counts equal paths and describes the others.
 * @param {string} a
 * @param {string} b
 * @param {{ metadata?: boolean }} [options]
 * @returns {{ same: number, different: string[] }}
 */
export function compareTrees(a, b, { metadata = false } = {}) {
  const [first, second] = [new Set(pathsOf(a)), new Set(pathsOf(b))]
  const all = [...new Set([...first, ...second])].sort()
  const different = all.flatMap((path) => {
    if (!second.has(path)) return [`${path}: only in the first`]
    if (!first.has(path)) return [`${path}: only in the second`]
    const found = difference(join(a, path), join(b, path), metadata)
    return found ? [`${path}: ${found}`] : []
  })
  return { same: all.length - different.length, different }
}
