/** Versions of this product: three numbers, and for a beta a fourth one behind `-beta.`. */

/** `1.2.0` or `1.2.0-beta.3`; numbers without zeros in front, at most five digits. */
export const versionPattern =
  /^(0|[1-9]\d{0,4})\.(0|[1-9]\d{0,4})\.(0|[1-9]\d{0,4})(?:-beta\.(0|[1-9]\d{0,4}))?$/

/** True for a version that only those get who chose the beta channel. */
export const isBeta = (version: string): boolean => version.includes('-')

/** Negative when `a` is older than `b`, 0 for the same; what is no version counts as the oldest. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [numbersOf(a), numbersOf(b)]
  for (const [index, number] of left.entries()) {
    const difference = number - (right[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/** The last number is beyond every beta for a version that is none. */
function numbersOf(version: string): readonly number[] {
  const [, major, minor, patch, beta] = versionPattern.exec(version) ?? []
  if (major === undefined) return [-1, -1, -1, -1]
  return [Number(major), Number(minor), Number(patch), beta === undefined ? 100_000 : Number(beta)]
}
