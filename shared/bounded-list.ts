/** Changes to readonly lists that keep their bounds, and their identity when nothing changed. */

/**
 * Changes the first matching item. Returns the same list when nothing changed, so that mirrors can compare by identity.
 */
export function replaceFirst<T>(
  list: readonly T[],
  isMeant: (item: T) => boolean,
  change: (item: T) => T,
): readonly T[] {
  const index = list.findIndex(isMeant)
  const before = list[index]
  if (before === undefined) return list
  const after = change(before)
  return after === before ? list : [...list.slice(0, index), after, ...list.slice(index + 1)]
}

/** Returns the same list when no item matches. */
export const without = <T>(list: readonly T[], isMeant: (item: T) => boolean): readonly T[] =>
  list.some(isMeant) ? list.filter((item) => !isMeant(item)) : list

/** Keeps at most `most` items, newest first, by removing the oldest one that may leave. */
export function keepNewestFirst<T>(
  list: readonly T[],
  most: number,
  mayLeave: (item: T) => boolean,
): readonly T[] {
  if (list.length <= most) return list
  const leaving = list.map(mayLeave).lastIndexOf(true)
  return list.filter((_, index) => index !== leaving)
}

/** The same for a list with the oldest first. */
export function keepOldestFirst<T>(
  list: readonly T[],
  most: number,
  mayLeave: (item: T) => boolean,
): readonly T[] {
  if (list.length <= most) return list
  const leaving = list.findIndex(mayLeave)
  return list.filter((_, index) => index !== leaving)
}
