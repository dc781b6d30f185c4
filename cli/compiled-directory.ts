/** Where the command keeps what was compiled of it, by the custom of each system. */
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { xdgFolder } from '#client/xdg-folder'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * An absolute folder, which may not exist yet. An empty variable counts as none. `null` on macOS: it remembers for each
 * program which folders and networks it may use, and whatever could change the folder would use them all. `null` also
 * where the account has no home folder, and where what is said of it would lead into the current one, where anybody's
 * files may lie.
 */
export function compiledDirectory(
  platform: NodeJS.Platform = process.platform,
  env: Environment = process.env,
  home: () => string = homedir,
): string | null {
  if (platform === 'darwin') return null
  const folder = folderOf(platform, env, homeBy(home))
  return isAbsolute(folder) ? folder : null
}

const folderOf = (platform: NodeJS.Platform, env: Environment, home: string): string =>
  platform === 'win32'
    ? join(env['LOCALAPPDATA'] || join(home, 'AppData', 'Local'), 'Thruflux', 'Cache')
    : join(xdgFolder(env['XDG_CACHE_HOME'], join(home, '.cache')), 'thruflux')

/** Nothing where the system knows of none, as for an account that is only a number. */
function homeBy(home: () => string): string {
  try {
    return home()
  } catch {
    return ''
  }
}
