/** Versions of this product: three numbers, and for betas a fourth one after `-beta.`. */

/** `1.2.0` or `1.2.0-beta.3`; numbers without leading zeros, at most five digits. */
export const versionPattern =
  /^(0|[1-9]\d{0,4})\.(0|[1-9]\d{0,4})\.(0|[1-9]\d{0,4})(?:-beta\.(0|[1-9]\d{0,4}))?$/

/** True for a version that only the beta channel offers. */
export const isBeta = (version: string): boolean => version.includes('-')

/** Negative when `a` is older than `b`, 0 if equal; an invalid version is older than any other. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [numbersOf(a), numbersOf(b)]
  for (const [index, number] of left.entries()) {
    const difference = number - (right[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/** A version that isn't a beta sorts after all of its betas. */
function numbersOf(version: string): readonly number[] {
  const [, major, minor, patch, beta] = versionPattern.exec(version) ?? []
  if (major === undefined) return [-1, -1, -1, -1]
  return [Number(major), Number(minor), Number(patch), beta === undefined ? 100_000 : Number(beta)]
}
