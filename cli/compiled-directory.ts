/** Where the command keeps what was compiled of it. */
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { xdgFolder } from '#client/xdg-folder'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * An absolute folder, which may not exist yet. An empty variable counts as none. `null` on macOS: it remembers for each
 * program which folders and networks it may use, and whatever could change the folder would use them all. `null` on
 * Windows, too, where programs with an administrator's rights have the folders of those without. `null` also where the
 * account has no home folder, and where what is said of it would lead into the current one, where anybody's files may
 * lie.
 */
export function compiledDirectory(
  platform: NodeJS.Platform = process.platform,
  env: Environment = process.env,
  home: () => string = homedir,
): string | null {
  if (platform === 'darwin' || platform === 'win32') return null
  const folder = join(xdgFolder(env['XDG_CACHE_HOME'], join(homeBy(home), '.cache')), 'thruflux')
  return isAbsolute(folder) ? folder : null
}

/** Nothing where the system knows of none, as for an account that is only a number. */
function homeBy(home: () => string): string {
  try {
    return home()
  } catch {
    return ''
  }
}
