import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

const partBytes = 1024 * 1024

/** Hashes the rest of `file` with SHA-512, in base64; `take` receives each part. */
export async function hashParts(
  file: FileHandle,
  take: (part: Uint8Array) => Promise<void> = () => Promise.resolve(),
): Promise<string> {
  const hash = createHash('sha512')
  const buffer = Buffer.alloc(partBytes)
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, buffer.length)
    if (bytesRead === 0) return hash.digest('base64')
    const part = buffer.subarray(0, bytesRead)
    hash.update(part)
    await take(part)
  }
}

/** The SHA-512 of a file, in base64. Rejects with the system's error, also for a link. */
export async function hashFile(path: string): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    return await hashParts(file)
  } finally {
    await file.close()
  }
}

/**
 * Copies a file, and resolves with the copy's SHA-512 once it is on disk. Rejects with the system's error, also if `to`
 * exists; a partial copy stays.
 */
export async function copyHashed(from: string, to: string, mode: number): Promise<string> {
  const source = await open(from, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    const target = await open(to, 'wx', mode)
    try {
      const hash = await hashParts(source, async (part) => {
        await target.writeFile(part)
      })
      await target.sync()
      return hash
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}
