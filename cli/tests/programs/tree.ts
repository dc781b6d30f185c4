/** Writes folders with known content, and hashes folders. */
import { createHash } from 'node:crypto'
import { closeSync, mkdirSync, openSync, readdirSync, readSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Content by path; `null` is an empty folder. */
export type Tree = Readonly<Record<string, Buffer | string | null>>

/** A folder with names of several scripts, a file of many segments, an empty file and an empty folder. */
export const album = (): Tree => ({
  'album/cover.jpg': bytesOf('cover', 300_000),
  'album/2024/summer/beach 🏖.raw': bytesOf('beach', 9_000_000),
  'album/2024/Übersicht.txt': 'Sommer',
  'album/日本語/ノート.md': '# 夏',
  'album/nothing inside': null,
  'album/empty.txt': '',
})

export function writeTree(folder: string, tree: Tree): void {
  for (const [path, content] of Object.entries(tree)) {
    const full = join(folder, path)
    mkdirSync(content === null ? full : dirname(full), { recursive: true })
    if (content !== null) writeFileSync(full, content)
  }
}

/** SHA-256 of each file by its path, `folder` for each folder. */
export function hashTree(folder: string): Readonly<Record<string, string>> {
  const found: Record<string, string> = {}
  const walk = (below: string): void => {
    for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
      const path = join(below, entry.name)
      if (entry.isDirectory()) {
        found[path] = 'folder'
        walk(path)
      } else {
        found[path] = hashFile(join(folder, path))
      }
    }
  }
  walk('')
  return found
}

/** SHA-256 of a file of any size. */
function hashFile(path: string): string {
  const hash = createHash('sha256')
  const block = Buffer.allocUnsafe(1 << 20)
  const file = openSync(path, 'r')
  try {
    for (;;) {
      const length = readSync(file, block)
      if (length === 0) return hash.digest('hex')
      hash.update(block.subarray(0, length))
    }
  } finally {
    closeSync(file)
  }
}

/** The same bytes on every run. */
export const bytesOf = (seed: string, length: number): Buffer =>
  createHash('shake256', { outputLength: length }).update(seed).digest()
