/** A new file that is whole and on the disk. */
import { open } from 'node:fs/promises'

/**
 * Writes `text` to a file at `path`, with the permissions `mode` less the account's mask. Resolves when
 * it is on the disk. Rejects with what the system says, `EEXIST` when something is there; what was
 * written until then stays.
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
