/** Writes new files durably. */
import { open } from 'node:fs/promises'

/**
 * Writes `text` to a new file at `path`, with the permissions `mode` minus the umask. Resolves when it is on disk.
 * Rejects with the system's error, `EEXIST` if something exists there; a partly written file stays.
 */
export async function writeDurably(path: string, text: string, mode = 0o666): Promise<void> {
  const file = await open(path, 'wx', mode)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}
