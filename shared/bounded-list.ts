/** Changes to readonly lists that keep their bounds, and their identity when nothing changed. */

/** The same list when nothing in it changed, so that a mirror can compare by identity. */
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

/** The same list when nothing in it is meant. */
export const without = <T>(list: readonly T[], isMeant: (item: T) => boolean): readonly T[] =>
  list.some(isMeant) ? list.filter((item) => !isMeant(item)) : list

/** Newest first: with more than `most`, the oldest that may leave does. */
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
