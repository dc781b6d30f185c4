import type { SystemView } from '#client/system-view'

/** An enabled firewall, and the command that allows Thruflux. */
export type Firewall = { readonly name: string; readonly allow: string }

/** Finds the enabled firewalls of this computer; `null` if they can't be detected. */
export type FindFirewalls = (system: SystemView) => Promise<readonly Firewall[] | null>
