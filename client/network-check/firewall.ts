/** Finds the firewalls that unprivileged programs can detect, and the commands that allow Thruflux. */
import { type SystemView, thisSystem } from '#client/system-view'
import { type Finding, finding } from '#shared/state/network-check'
import type { FindFirewalls } from './find-firewalls'
import { firewallsOfLinux } from './firewall-linux'
import { firewallsOfMacos } from './firewall-macos'
import { firewallsOfWindows } from './firewall-windows'

const byPlatform: { readonly [platform in NodeJS.Platform]?: FindFirewalls } = {
  linux: firewallsOfLinux,
  darwin: firewallsOfMacos,
  win32: firewallsOfWindows,
}

/** Reports the enabled firewalls. */
export async function checkFirewall(system: SystemView = thisSystem): Promise<Finding> {
  const found = (await byPlatform[system.platform]?.(system)) ?? null
  if (found === null) return finding('firewall', 'unknown', {})
  const [first] = found
  if (first === undefined) return finding('firewall', 'none', {})
  return finding('firewall', 'seen', { names: found.map(({ name }) => name), allow: first.allow })
}
