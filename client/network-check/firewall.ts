/** Firewalls of this computer, as far as they can be seen without rights, and the command that lets Thruflux through. */
import { type SystemView, thisSystem } from '#client/port-mapping/gateway'
import { type Finding, finding } from '#shared/state/network-check'
import { firewallsOfLinux } from './firewall-linux'
import { firewallsOfMacos } from './firewall-macos'
import { firewallsOfWindows } from './firewall-windows'

/** One that is on. */
export type Firewall = { readonly name: string; readonly allow: string }

/** `null`: that can't be seen. */
export type FindFirewalls = (system: SystemView) => Promise<readonly Firewall[] | null>

const byPlatform: { readonly [platform in NodeJS.Platform]?: FindFirewalls } = {
  linux: firewallsOfLinux,
  darwin: firewallsOfMacos,
  win32: firewallsOfWindows,
}

/** See above. */
export async function checkFirewall(system: SystemView = thisSystem): Promise<Finding> {
  const found = (await byPlatform[system.platform]?.(system)) ?? null
  if (found === null) return finding('firewall', 'unknown', {})
  const [first] = found
  if (first === undefined) return finding('firewall', 'none', {})
  return finding('firewall', 'seen', { names: found.map(({ name }) => name), allow: first.allow })
}
