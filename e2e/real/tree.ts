/** Folders to send, and hashes to compare them. */
import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, stat, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'

/** Small and empty files, an empty folder, names that need care, and one file of several segments. */
export async function makeTree(root: string): Promise<void> {
  for (const folder of ['', 'deep/er/still', 'empty', 'Übung und 사진', 'many']) {
    await mkdir(join(root, folder), { recursive: true })
  }
  await writeFile(join(root, 'empty.txt'), '')
  await writeFile(join(root, 'deep/er/still/hello.txt'), 'hello')
  await writeFile(join(root, 'Übung und 사진/two words.bin'), bytes(70_000, 1))
  await writeFile(join(root, 'large.bin'), bytes(20_000_003, 2))
  for (let index = 0; index < 200; index += 1) {
    await writeFile(join(root, 'many', `${index}.bin`), bytes(1000 + index, index))
  }
}

/** Reproducible bytes that differ in every file. */
function bytes(length: number, seed: number): Buffer {
  const content = Buffer.alloc(length)
  let state = seed + 1
  for (let index = 0; index < length; index += 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    content[index] = state >> 16
  }
  return content
}

/** A file that takes a while to send: random bytes, because others are compressed. */
export async function makeLargeFile(path: string, length: number): Promise<void> {
  const file = await open(path, 'w')
  const block = randomBytes(8 << 20)
  for (let at = 0; at < length; at += block.length) {
    await file.write(block, 0, Math.min(block.length, length - at), at)
  }
  await file.close()
}

/** Every path below `root`: SHA-256 of a file, or `folder`. */
export async function hashTree(root: string): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  const visit = async (directory: string): Promise<void> => {
    for (const name of (await readdir(directory)).sort()) {
      const path = join(directory, name)
      const isFolder = (await stat(path)).isDirectory()
      found.set(relative(root, path), isFolder ? 'folder' : await hashFile(path))
      if (isFolder) await visit(path)
    }
  }
  await visit(root)
  return found
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
