/** Finds the only item of a finished receive, for the file manager and for dragging. */
import { lstat, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { Receive } from '#shared/state/app-state'
import { savedName } from '#shared/state/saved-name'

/** True for a single, valid path component. */
const isPlainName = (name: string): boolean =>
  name !== '' && name !== '.' && name !== '..' && !/[/\\\0\ud800-\udfff]/u.test(name)

/**
 * The path of the received item, if it is one file or folder without a number in its name; else `null`. Links can't lead out
 * of the receive's folder.
 */
export async function receivedItem(receive: Receive): Promise<string | null> {
  const { phase, items, directory, outcome } = receive
  if (phase !== 'done' || directory === null) return null
  const [item] = items
  if (items.length !== 1 || item === undefined) return null
  // Only the engine knows the number.
  const isNumbered = item.kind === 'file' && outcome?.renamed !== 0
  const name = isNumbered ? null : savedName(receive, item.name)
  if (name === null || !isPlainName(name)) return null
  if (item.kind !== 'file' && item.kind !== 'folder') return null
  const path = join(directory, name)
  try {
    const found = await lstat(path)
    const isSame = item.kind === 'file' ? found.isFile() : found.isDirectory()
    const folder = await realpath(directory)
    return isSame && (await realpath(path)).startsWith(withEnd(folder)) ? path : null
  } catch {
    return null
  }
}

/** A root folder already ends with a separator. */
const withEnd = (folder: string): string => (folder.endsWith(sep) ? folder : folder + sep)
