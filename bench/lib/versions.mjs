// Two versions of an image or of a folder, for measurements of updates.
import { execFileSync } from 'node:child_process'
import { createHash, randomFillSync } from 'node:crypto'
import { closeSync, mkdirSync, openSync, readdirSync, utimesSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { MiB, writeFiles } from './trees.mjs'

/** A time that no new file has: the same size and time would mean the same file. */
const longAgo = new Date('2001-02-03T04:05:06Z')

/** Numbers from 0 up to 1, the same in every run. */
function* randoms() {
  for (let count = 0; ; count += 1) {
    const digest = createHash('sha256').update(String(count)).digest()
    for (let at = 0; at < digest.length; at += 4) yield digest.readUInt32LE(at) / 2 ** 32
  }
}

/** Chooses this share of `count` blocks at random. */
function choose(count, share) {
  const random = randoms()
  const next = () => random.next().value
  const chosen = new Set()
  const wanted = Math.max(1, Math.round(count * share))
  while (chosen.size < wanted) chosen.add(Math.floor(next() * count))
  return { chosen: [...chosen].toSorted((a, b) => a - b), next }
}

/**
 * Writes an image, and an older version in which this share of the blocks has another `edit` bytes at some place.
 * Returns the changed bytes.
 */
export function writeImages(newer, older, { size, block, edit, changed }) {
  mkdirSync(newer)
  mkdirSync(older)
  const path = join(newer, 'image')
  const content = Buffer.alloc(MiB)
  const file = openSync(path, 'w')
  for (let at = 0; at < size; at += MiB) writeSync(file, randomFillSync(content))
  closeSync(file)
  execFileSync('cp', [path, join(older, 'image')])
  const old = openSync(join(older, 'image'), 'r+')
  const { chosen, next } = choose(Math.floor(size / block), changed)
  const other = Buffer.alloc(edit)
  for (const at of chosen) {
    const within = Math.floor(next() * (block / edit)) * edit
    writeSync(old, randomFillSync(other), 0, edit, at * block + within)
  }
  closeSync(old)
  utimesSync(join(older, 'image'), longAgo, longAgo)
  return chosen.length * edit
}

/** Writes a file of noise into which `edits` texts were inserted since its older version. Returns their bytes. */
export function writeMailboxes(newer, older, { size, edits }) {
  mkdirSync(newer)
  mkdirSync(older)
  const texts = 200
  const [random, files] = [randoms(), [newer, older].map((at) => openSync(join(at, 'mail'), 'w'))]
  const places = Array.from({ length: edits }, () => Math.floor(random.next().value * size))
  places.sort((a, b) => a - b)
  const content = Buffer.alloc(MiB)
  let edit = 0
  for (let at = 0; at < size; at += MiB) {
    randomFillSync(content)
    let written = 0
    for (; edit < edits && places[edit] < at + MiB; edit += 1) {
      const until = places[edit] - at
      for (const file of files) writeSync(file, content, written, until - written)
      writeSync(files[0], randomFillSync(Buffer.alloc(texts)))
      written = until
    }
    for (const file of files) writeSync(file, content, written)
  }
  for (const file of files) closeSync(file)
  utimesSync(join(older, 'mail'), longAgo, longAgo)
  return edits * texts
}

/** Writes a folder of `count` files of 6 kB, and an older version in which `changed` of them differ. */
export function writeFolders(newer, older, { count, changed }) {
  const bytes = 6_000
  writeFiles(newer, count, bytes)
  execFileSync('cp', ['-a', newer, older])
  const files = readdirSync(older, { recursive: true, withFileTypes: true }).filter((one) =>
    one.isFile(),
  )
  const { chosen } = choose(files.length, changed / count)
  const other = randomFillSync(Buffer.alloc(bytes))
  for (const at of chosen) {
    const path = join(files[at].parentPath, files[at].name)
    const file = openSync(path, 'r+')
    writeSync(file, other)
    closeSync(file)
    utimesSync(path, longAgo, longAgo)
  }
  return chosen.length * bytes
}
