/** Registers the app with the system to open join links, even from a checkout. */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { App } from 'electron'
import { homeFolder } from '#client/home-folder'
import { xdgFolder } from '#client/xdg-folder'
import { joinLinkScheme } from '#shared/code/join-link'
import { desktopEntry } from './desktop-entry'

/** A separate name keeps the entry of an installed app. */
const entryName = 'thruflux-development.desktop'

/** `xdg-mime` is a script that waits for nothing; one that hangs is abandoned. */
const patienceMs = 10_000

/**
 * True if links may be registered to open this copy. On Windows a copy without an installer may be on a removable
 * drive, and links would later start any program with the same path.
 */
export const staysInPlace = (
  { platform, execPath }: Pick<NodeJS.Process, 'platform' | 'execPath'>,
  exists: (path: string) => boolean = existsSync,
): boolean => platform !== 'win32' || exists(join(execPath, '../Uninstall.exe'))

/**
 * Registers the app for join links. Linux packages contain their own entry, and leave the choice of app to the person.
 * `command` starts a checkout. Arguments after `--` are no switches, whatever a page has put into a link.
 */
export function registerLinks(
  app: Pick<App, 'isPackaged' | 'setAsDefaultProtocolClient'>,
  command: readonly string[],
  { platform, env }: Pick<NodeJS.Process, 'platform' | 'env'> = process,
): void {
  const [program, ...args] = command
  if (platform !== 'linux') {
    if (platform === 'win32' || !app.isPackaged) {
      app.setAsDefaultProtocolClient(joinLinkScheme, program, [...args, '--'])
    } else {
      app.setAsDefaultProtocolClient(joinLinkScheme)
    }
  } else if (!app.isPackaged) registerCheckout(command, env)
}

/** Writes an entry in the account's own folder, and registers it once. */
function registerCheckout(command: readonly string[], env: NodeJS.ProcessEnv): void {
  const data = xdgFolder(env['XDG_DATA_HOME'], join(homeFolder(), '.local/share'))
  const folder = join(data, 'applications')
  const file = join(folder, entryName)
  const scheme = `x-scheme-handler/${joinLinkScheme}`
  const content = desktopEntry({
    name: 'Thruflux (development)',
    command: [...command, '%U'],
    more: { MimeType: `${scheme};`, NoDisplay: 'true' },
  })
  try {
    if (isSame(file, content)) return
    mkdirSync(folder, { recursive: true })
    writeFileSync(file, content)
  } catch (error) {
    console.error('could not register join links:', error)
    return
  }
  // If `xdg-mime` is missing, the desktop finds the entry when it scans the folder.
  execFile('xdg-mime', ['default', entryName, scheme], { timeout: patienceMs }, () => undefined)
}

function isSame(file: string, content: string): boolean {
  try {
    return readFileSync(file, 'utf8') === content
  } catch {
    return false
  }
}
