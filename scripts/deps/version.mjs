/** Compares dotted versions number by number: negative, zero or positive like a sort callback. */
export function compareVersions(a, b) {
  const [left, right] = [a, b].map((version) => version.split(/[^0-9]+/).map(Number))
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/** Describes which limit of minimum <= version < below is violated; undefined if none. */
export function missedLimit(version, { minimum, below }) {
  if (compareVersions(version, minimum) < 0) return `too old: ${minimum} or newer is needed`
  if (compareVersions(version, below) >= 0) return `too new: it must be older than ${below}`
  return undefined
}
