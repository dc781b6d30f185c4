/** What stands between a home and the internet, and which way leads from home to home through two of them. */
import { canBeDirect, firewallRules, gateKinds, natRules } from '../../../../bench/lab/nat.mjs'

/** A router that translates addresses over IPv4 and is a firewall over IPv6, or nothing. */
export type Gate = (typeof gateKinds)[number]

/** Which addresses homes have. */
export type Families = 'IPv4' | 'IPv6' | 'IPv4 and IPv6'

/** Every kind of gate. */
export const gates: readonly Gate[] = gateKinds

/** Every choice of addresses. */
export const allFamilies: readonly Families[] = ['IPv4', 'IPv6', 'IPv4 and IPv6']

/** True when homes have addresses of this family. */
export const hasFamily = (families: Families, family: 4 | 6): boolean =>
  families.includes(`IPv${family}`)

/** The rules of a gate for nft; `inside` and `outside` are its IPv4 addresses: of the home's computer and its own. */
export function rulesOf(
  gate: Gate,
  families: Families,
  wiring: { readonly uplink: string; readonly inside: string; readonly outside: string },
): string {
  if (gate === 'open') return ''
  const translation = hasFamily(families, 4) ? natRules(gate, wiring) : ''
  return `${translation}${hasFamily(families, 6) ? firewallRules(gate, wiring) : ''}`
}

/** The way that a transfer takes between two homes that have a relay as well. */
export function wayBetween(host: Gate, join: Gate, families: Families): 'direct' | 'relay' {
  const isDirect = ([4, 6] as const).some(
    (family) => hasFamily(families, family) && canBeDirect(host, join, family),
  )
  return isDirect ? 'direct' : 'relay'
}
