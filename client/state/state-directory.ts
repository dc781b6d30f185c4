/** The place of this application's state, by each system's convention. */
import { join } from 'node:path'
import { homeFolder } from '#client/home-folder'
import { xdgFolder } from '#client/xdg-folder'

type Environment = Readonly<Record<string, string | undefined>>

/** An absolute path, where there may be no folder yet. Empty variables are ignored. */
export function stateDirectory(
  platform: NodeJS.Platform = process.platform,
  env: Environment = process.env,
  home: string = homeFolder(),
): string {
  switch (platform) {
    case 'win32':
      return join(env['LOCALAPPDATA'] || join(home, 'AppData', 'Local'), 'Thruflux')
    case 'darwin':
      return join(home, 'Library', 'Application Support', 'Thruflux')
    default:
      return join(xdgFolder(env['XDG_STATE_HOME'], join(home, '.local', 'state')), 'thruflux')
  }
}
