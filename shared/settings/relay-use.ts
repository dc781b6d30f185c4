/**
 * The use of relays, those of either side and the server's server relays: if there is no direct route, always and
 * exclusively, or never.
 */
export const relayUses = ['automatic', 'only', 'never'] as const

/** A value of the setting. */
export type RelayUse = (typeof relayUses)[number]
