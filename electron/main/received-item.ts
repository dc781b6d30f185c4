/** Where the one thing is that a finished receive brought, for the file manager and for a drag. */
import { lstat, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { Receive } from '#shared/state/app-state'

/** A name of one component, as it was written: no separators, no bytes that are no text. */
const isPlainName = (name: string): boolean =>
  name !== '' && name !== '.' && name !== '..' && !/[/\\\0\ud800-\udfff]/u.test(name)

/**
 * The path of what was received, when that is one file or folder under the name that it was offered
 * by; else `null`. It is really in the folder of the receive: links lead nowhere.
 */
export async function receivedItem(receive: Receive): Promise<string | null> {
  const { phase, items, directory, outcome, mappedCount } = receive
  if (phase !== 'done' || directory === null) return null
  const [item] = items
  if (items.length !== 1 || item === undefined) return null
  // Under which other name it was written only the engine knows.
  const isRenamed = mappedCount > 0 || (item.kind === 'file' && outcome?.renamed !== 0)
  if (isRenamed || !isPlainName(item.name)) return null
  if (item.kind !== 'file' && item.kind !== 'folder') return null
  const path = join(directory, item.name)
  try {
    const found = await lstat(path)
    const isSame = item.kind === 'file' ? found.isFile() : found.isDirectory()
    const folder = await realpath(directory)
    return isSame && (await realpath(path)).startsWith(withEnd(folder)) ? path : null
  } catch {
    return null
  }
}

/** A folder at the root ends with its separator already. */
const withEnd = (folder: string): string => (folder.endsWith(sep) ? folder : folder + sep)
