/** Join links that open the app: registered with the system, also for a start from a checkout. */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { App } from 'electron'
import { homeFolder } from '#client/home-folder'
import { xdgFolder } from '#client/xdg-folder'
import { joinLinkScheme } from '#shared/code/join-link'
import { desktopEntry } from './desktop-entry'

/** A name of its own, so that an installed app keeps its entry. */
const entryName = 'thruflux-development.desktop'

/** `xdg-mime` is a script that waits for nothing; one that hangs is left behind. */
const patienceMs = 10_000

/**
 * True when links may lead to this copy by itself. On Windows one that no installer has put there may be on a stick: later,
 * links would start whatever has its path then.
 */
export const staysInPlace = (
  { platform, execPath }: Pick<NodeJS.Process, 'platform' | 'execPath'>,
  exists: (path: string) => boolean = existsSync,
): boolean => platform !== 'win32' || exists(join(execPath, '../Uninstall.exe'))

/**
 * Registers the app for links. Packages of Linux bring an entry of their own, and leave it to the person
 * which app opens them. `command`: how a checkout is started; behind `--` nothing is a switch, whatever a page has put into a link.
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

/** An entry in the account's own folder, written and registered once. */
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
    console.error('join links are not registered:', error)
    return
  }
  // Without this program the desktop finds the entry when it looks at the folder itself.
  execFile('xdg-mime', ['default', entryName, scheme], { timeout: patienceMs }, () => undefined)
}

function isSame(file: string, content: string): boolean {
  try {
    return readFileSync(file, 'utf8') === content
  } catch {
    return false
  }
}
