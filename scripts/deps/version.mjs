/** Compares dotted versions number by number: negative, zero or positive like a sort callback. */
export function compareVersions(a, b) {
  const [left, right] = [a, b].map((version) => version.split(/[^0-9]+/).map(Number))
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/** True for minimum <= version < below. */
export function isAccepted(version, { minimum, below }) {
  return compareVersions(version, minimum) >= 0 && compareVersions(version, below) < 0
}
