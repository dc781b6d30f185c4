/**
 * Whether connections may go by relays, those of either side and the server's detours: where there is no direct way,
 * always and by nothing else, or not at all.
 */
export const relayUses = ['automatic', 'only', 'never'] as const

/** One of those. */
export type RelayUse = (typeof relayUses)[number]
