/**
 * The people that may find this computer on its network: `everyone` there; `contacts`, while everyone else finds only
 * shares whose code they have; or no one, not even with a code.
 */
export const visibilities = ['everyone', 'contacts', 'off'] as const

/** A value of the setting. */
export type Visibility = (typeof visibilities)[number]
