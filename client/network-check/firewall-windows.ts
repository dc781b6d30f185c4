/** The Windows firewall, read from the registry: the output of its programs depends on the language. */
import { windowsProgram } from '#client/windows-program'
import type { FindFirewalls } from './find-firewalls'

const policy = 'HKLM\\SYSTEM\\CurrentControlSet\\Services\\SharedAccess\\Parameters\\FirewallPolicy'

export const firewallsOfWindows: FindFirewalls = async ({ run }) => {
  const said = await run(windowsProgram('reg'), ['query', policy, '/s', '/v', 'EnableFirewall'])
  const found = [...said.matchAll(/EnableFirewall\s+REG_DWORD\s+0x(\d)/g)]
  if (found.length === 0) return null
  const allow = 'Windows Security, Firewall, Allow an app: Thruflux'
  return found.some(([, on]) => on === '1') ? [{ name: 'Windows Defender Firewall', allow }] : []
}
