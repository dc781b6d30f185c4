/** Where the command keeps what was compiled of it, by the custom of each system. */
import { homedir } from 'node:os'
import { join } from 'node:path'
import { xdgFolder } from '#client/xdg-folder'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * An absolute folder, which may not exist yet. An empty variable counts as none. `null` on macOS: it remembers for each
 * program which folders and networks it may use, and whatever could change the folder would use them all.
 */
export function compiledDirectory(
  platform: NodeJS.Platform = process.platform,
  env: Environment = process.env,
  home: string = homedir(),
): string | null {
  switch (platform) {
    case 'win32':
      return join(env['LOCALAPPDATA'] || join(home, 'AppData', 'Local'), 'Thruflux', 'Cache')
    case 'darwin':
      return null
    default:
      return join(xdgFolder(env['XDG_CACHE_HOME'], join(home, '.cache')), 'thruflux')
  }
}
