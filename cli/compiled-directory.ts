/** The folder for the command's code cache. */
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { xdgFolder } from '#client/xdg-folder'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * An absolute folder, which may not exist yet. An empty variable counts as unset. `null` on macOS, which grants access
 * to folders and networks per program: anyone who could change the folder could use those grants. `null` on Windows,
 * where elevated programs share the folders of normal ones. `null` also if the account has no home folder, or a
 * relative one: the current folder may contain other people's files.
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

/** The home folder, or nothing if the system knows none, as for an account that is only a number. */
function homeBy(home: () => string): string {
  try {
    return home()
  } catch {
    return ''
  }
}
