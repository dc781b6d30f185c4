import type { SystemView } from '#client/system-view'

/** A firewall that is on. */
export type Firewall = { readonly name: string; readonly allow: string }

/** Finds those of this computer; `null`: that can't be seen. */
export type FindFirewalls = (system: SystemView) => Promise<readonly Firewall[] | null>
