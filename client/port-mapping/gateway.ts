/** The router of this network: the system's default gateway for IPv4. */
import { isIPv4 } from 'node:net'
import { type SystemView, thisSystem } from '#client/system-view'
import { defaultRouteOfLinux } from './gateway-linux'
import { defaultRouteOfMacos } from './gateway-macos'
import { defaultRouteOfWindows } from './gateway-windows'

/** The gateway's address; `null` if there is none. */
export async function defaultGateway(system: SystemView = thisSystem): Promise<string | null> {
  const find = byPlatform[system.platform] ?? defaultRouteOfLinux
  const found = await find(system)
  return found !== null && isIPv4(found) && found !== '0.0.0.0' ? found : null
}

const byPlatform: {
  readonly [platform in NodeJS.Platform]?: (system: SystemView) => Promise<string | null>
} = { win32: defaultRouteOfWindows, darwin: defaultRouteOfMacos }
