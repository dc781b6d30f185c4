/** The keys that may sign a manifest now, and how they were replaced since this version was built. */
import { openEnvelope } from '#client/update/envelope'
import { keyListSchema, payloadTypes, updateLimits } from '#shared/update/manifest'

/** Keys of which each one counts. */
export type TrustedKeys = {
  readonly keys: readonly string[]
  /** Number of the list that they are from; 0 for the first keys of all. */
  readonly serial: number
}

/** Keys that a chain led to, and the number of the built-in list that it began at. */
export type NotedKeys = TrustedKeys & { readonly from: number }

/**
 * Where to begin: at the keys that were noted, unless this version was built with a newer list than the one
 * they came from. So an installation leads out of a chain that a stolen key went on with.
 */
export const beginningOf = (builtIn: TrustedKeys, noted: NotedKeys | null): NotedKeys =>
  noted !== null && noted.from >= builtIn.serial && noted.serial > builtIn.serial
    ? noted
    : { ...builtIn, from: builtIn.serial }

/** True for keys that another program of this account followed further than `noted` was. */
export const isFurther = (found: NotedKeys | null, noted: NotedKeys): boolean =>
  found !== null &&
  (found.from > noted.from || (found.from === noted.from && found.serial > noted.serial))

/**
 * Follows a chain of key lists from `known` as far as it leads: each list is signed by a key of the one
 * before it, and has the next number. What doesn't fit is passed over, so an old chain takes nothing back.
 */
export function followKeyLists(known: TrustedKeys, chain: unknown): TrustedKeys {
  const lists: readonly unknown[] = Array.isArray(chain)
    ? chain.slice(0, updateLimits.keyLists)
    : []
  return lists.reduce<TrustedKeys>((trusted, raw) => {
    const list = openEnvelope(raw, payloadTypes.keys, keyListSchema, trusted.keys)
    return list.ok && list.value.serial === trusted.serial + 1
      ? { keys: list.value.keys, serial: list.value.serial }
      : trusted
  }, known)
}
