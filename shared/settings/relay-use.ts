/**
 * When connections use relays, those of either side or the server's detours: without a direct route, always and
 * exclusively, or never.
 */
export const relayUses = ['automatic', 'only', 'never'] as const

/** A value of the setting. */
export type RelayUse = (typeof relayUses)[number]
