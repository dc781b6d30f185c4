/** The application firewall of macOS. */
import type { FindFirewalls } from './find-firewalls'

const program = '/usr/libexec/ApplicationFirewall/socketfilterfw'

export const firewallsOfMacos: FindFirewalls = async ({ run }) => {
  const said = await run(program, ['--getglobalstate'])
  const state = /State = (\d)/.exec(said)?.[1]
  if (state === undefined) return null
  const allow = 'System Settings, Network, Firewall, Options: allow Thruflux'
  return state === '0' ? [] : [{ name: 'macOS', allow }]
}
