/** Routers between a home and the internet, and the expected route between two of them. */
import { canBeDirect, firewallRules, natRules, routerTypes } from '../../../../bench/lab/nat.mjs'

/** A router that translates IPv4 addresses and is a firewall for IPv6, or no router. */
export type RouterType = (typeof routerTypes)[number]

/** The address families of homes. */
export type Families = 'IPv4' | 'IPv6' | 'IPv4 and IPv6'

export const allRouterTypes: readonly RouterType[] = routerTypes

/** Every choice of addresses. */
export const allFamilies: readonly Families[] = ['IPv4', 'IPv6', 'IPv4 and IPv6']

/** True when homes have addresses of this family. */
export const hasFamily = (families: Families, family: 4 | 6): boolean =>
  families.includes(`IPv${family}`)

/** A router's rules for nft; `inside` and `outside` are the IPv4 addresses of the home's computer and of the router. */
export function rulesOf(
  router: RouterType,
  families: Families,
  wiring: { readonly uplink: string; readonly inside: string; readonly outside: string },
): string {
  if (router === 'open') return ''
  const translation = hasFamily(families, 4) ? natRules(router, wiring) : ''
  return `${translation}${hasFamily(families, 6) ? firewallRules(router, wiring) : ''}`
}

/** The expected route of a transfer between two homes that also have a relay. */
export function wayBetween(
  host: RouterType,
  join: RouterType,
  families: Families,
): 'direct' | 'relay' {
  const isDirect = ([4, 6] as const).some(
    (family) => hasFamily(families, family) && canBeDirect(host, join, family),
  )
  return isDirect ? 'direct' : 'relay'
}
