/** Reasons why two computers use a relay, and what would change it. */
import type { RelayReason } from '#shared/state/app-state'
import type { Advice } from '#shared/state/network-check'

export const relayReasons: { readonly [reason in RelayReason]: Advice } = {
  'own-choice': {
    what: 'You chose to use relays only, which hides your address from the other side.',
    remedy: 'Set Relay to "When needed" for direct connections.',
  },
  'their-choice': {
    what: 'The other side uses relays only, which hides its address from you.',
    remedy: 'Only they can change that.',
  },
  'own-udp': {
    what: 'Your network blocks UDP.',
    remedy: 'Allow UDP in the firewall for direct connections.',
  },
  'own-address': {
    what: 'No STUN server reported your internet address.',
    remedy: 'Add a STUN server, or check the one that is set.',
  },
  'their-address': {
    what: 'The other side has no address that you can reach: their network blocks UDP, or they have no STUN server.',
    remedy: 'Ask them to check their connection.',
  },
  routers: {
    what: "Your routers don't let each other through: at least one uses a different port for each destination.",
    remedy: 'Turn on IPv6 in both routers, if you can.',
  },
}
