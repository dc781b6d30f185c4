/** The place of the settings of app and command, by each system's convention. */
import { join } from 'node:path'
import { homeFolder } from '#client/home-folder'
import { xdgFolder } from '#client/xdg-folder'

type Environment = Readonly<Record<string, string | undefined>>

/** The file's name in its folder. */
export const configName = 'config.toml'

/** An absolute path, where there may be no file yet. Empty variables are ignored. */
export function configPath(
  platform: NodeJS.Platform = process.platform,
  env: Environment = process.env,
  home: string = homeFolder(),
): string {
  switch (platform) {
    case 'win32':
      return join(env['APPDATA'] || join(home, 'AppData', 'Roaming'), 'Thruflux', configName)
    case 'darwin':
      return join(home, 'Library', 'Application Support', 'Thruflux', configName)
    default:
      return join(xdgFolder(env['XDG_CONFIG_HOME'], join(home, '.config')), 'thruflux', configName)
  }
}
