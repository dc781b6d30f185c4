/** Adds files and folders to a running share: the person types a path, and Tab completes it. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '#client/client'
import { homeFolder } from '#client/home-folder'
import { appError } from '#shared/errors'
import { visibleText } from '#shared/format/visible-text'
import { err } from '#shared/result'
import type { ShareId } from '#shared/state/app-state'
import { errorText } from '../report/event-text'
import type { Terminal } from '../terminal/terminal'
import { text } from '../text'

/** Names that Tab offers at most. */
const maxOffered = 100

/** Asks for a path and adds it, unless the line is empty. */
export async function addPath(
  client: Pick<Client, 'addItems'>,
  share: ShareId,
  terminal: Terminal,
): Promise<void> {
  const typed = await terminal.readLine(text.prompt.addPath, completePath)
  const path = withHome(typed?.trim() ?? '')
  if (path === '') return
  // A mistyped path is prompted for again, and not reported as a problem of the share.
  const added = existsSync(path)
    ? await client.addItems(share, [{ kind: 'path', path }])
    : err(appError('E_PATH_NOT_FOUND', '', path))
  terminal.note(
    added.ok ? text.share.added(visibleText(path)) : text.transfer.failed(errorText(added.error)),
  )
}

/** `~` stands for the home folder, as in a shell. */
const withHome = (path: string): string =>
  path === '~' || path.startsWith('~/') ? join(homeFolder(), path.slice(1)) : path

/** Completions of `typed`, and the part of it that they complete. */
export function completePath(typed: string): [string[], string] {
  const end = typed.lastIndexOf('/') + 1
  const [folder, begun] = [typed.slice(0, end), typed.slice(end)]
  try {
    const names = readdirSync(withHome(folder) || '.', { withFileTypes: true })
      .filter(({ name }) => name.startsWith(begun) && (begun !== '' || !name.startsWith('.')))
      .slice(0, maxOffered)
      .map((entry) => `${entry.name}${entry.isDirectory() ? '/' : ''}`)
    return [names.map((name) => folder + name), typed]
  } catch {
    return [[], typed]
  }
}
